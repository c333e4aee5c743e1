PRAGMA application_id = 1869636467;
PRAGMA user_version = 99;
CREATE TABLE later(x);
