CREATE TABLE notes(x);
