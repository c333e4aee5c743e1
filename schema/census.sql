-- SPDX-License-Identifier: Apache-2.0
--
-- *.census: the operator census as a SQLite database. This file is the contract: it is compiled
-- into opcensus and creates every census. A change that a reader can see raises user_version.
--
-- Times are integer nanoseconds (`_ns`). Ids are dense (0, 1, 2 …). Texts are kept as the trace
-- spelled them: whoever prints them escapes them. NULL means "none" or "unknown", as stated.
-- To ask questions, start with the views at the end: operator_census, operator_counts, ledger,
-- ledger_check, graph_plan, unattributed.

PRAGMA application_id = 1869636467;  -- "opcs", bytes 68 to 71 of the file
PRAGMA user_version = 1;             -- the schema version

CREATE TABLE meta (
  name  TEXT PRIMARY KEY NOT NULL,  -- 'tool_version'
  value TEXT NOT NULL
);

-- Long and frequent texts (kernel names, kinds, launch dimensions), each once; 0 is ''.
CREATE TABLE texts (
  id   INTEGER PRIMARY KEY NOT NULL,
  text TEXT NOT NULL
);

-- The files that were read, also those that were ignored.
CREATE TABLE inputs (
  id       INTEGER PRIMARY KEY NOT NULL,
  path     TEXT NOT NULL,     -- as the user gave it
  format   TEXT NOT NULL,     -- 'kineto_json', …
  role     TEXT NOT NULL,     -- 'capture', 'runtime', 'capture+runtime', 'operators', 'ignored'
  rank     INTEGER NOT NULL,
  bytes    INTEGER NOT NULL,  -- decompressed
  events   INTEGER NOT NULL,  -- records of every sort
  complete INTEGER NOT NULL CHECK (complete IN (0, 1)),  -- 0: truncated or damaged
  note     TEXT NOT NULL      -- why ignored, or what is missing
);

-- One row a rank; more where the inputs of a rank disagree.
CREATE TABLE ranks (
  rank       INTEGER NOT NULL,
  devices    TEXT NOT NULL,  -- 'NVIDIA H200'
  properties TEXT NOT NULL   -- JSON object of versions and settings
);

-- Operator + input shapes + input dtypes.
CREATE TABLE signatures (
  id              INTEGER PRIMARY KEY NOT NULL,
  operator        TEXT NOT NULL,
  input_shapes    TEXT NOT NULL,  -- compact JSON; '' = not recorded
  input_dtypes    TEXT NOT NULL,  -- compact JSON; '' = not recorded
  metadata_status TEXT NOT NULL,  -- 'shape_and_dtype', 'shape_only', 'dtype_only', 'no_input_metadata'
  input_formats   TEXT NOT NULL   -- a device's own layouts, compact JSON; only of device_times.recorded
);

-- Captured graphs.
CREATE TABLE graphs (
  id               INTEGER PRIMARY KEY NOT NULL,
  rank             INTEGER NOT NULL,
  number           INTEGER NOT NULL,  -- 0, 1, 2 … within the rank
  label            TEXT NOT NULL,     -- annotation of the capture, or the file's name
  batch_size       INTEGER,           -- NULL = unknown
  nodes            INTEGER NOT NULL,  -- launches recorded in the graph
  replays          INTEGER NOT NULL,  -- executions of the whole graph
  device_time_ns   INTEGER NOT NULL,  -- sum over all replays
  busy_time_ns     INTEGER NOT NULL,  -- union of intervals, summed over all replays
  attributed_nodes INTEGER NOT NULL,  -- nodes with an operator
  UNIQUE (rank, number)
);

-- The recorded launches of each graph.
CREATE TABLE graph_nodes (
  graph          INTEGER NOT NULL REFERENCES graphs (id),
  node           INTEGER NOT NULL,                       -- position in capture order, from 0
  kind           INTEGER NOT NULL REFERENCES texts (id), -- 'kernel', 'memcpy', 'memset'
  signature      INTEGER REFERENCES signatures (id),     -- innermost operator; NULL = none
  top_operator   INTEGER NOT NULL REFERENCES texts (id), -- outermost framework operator
  kernel         INTEGER NOT NULL REFERENCES texts (id), -- as replayed, or as in the warm-up
  grid           INTEGER NOT NULL REFERENCES texts (id), -- '[8,1,1]'; '' = unknown
  block          INTEGER NOT NULL REFERENCES texts (id), -- likewise
  tier           TEXT NOT NULL CHECK (tier IN ('direct', 'exact', 'aligned', 'unattributed')),
  executions     INTEGER NOT NULL,                       -- over all replays
  device_time_ns INTEGER NOT NULL,                       -- over all replays
  UNIQUE (graph, node)
);

-- Host side: operator calls. Self time excludes child operators; replayed calls have none.
CREATE TABLE operator_calls (
  rank             INTEGER NOT NULL,
  phase            TEXT NOT NULL CHECK (phase IN ('warmup', 'capture', 'eager', 'replay')),
  signature        INTEGER NOT NULL REFERENCES signatures (id),
  graph            INTEGER REFERENCES graphs (id),  -- capture and replay only
  calls            INTEGER NOT NULL,
  cpu_time_ns      INTEGER NOT NULL,
  self_cpu_time_ns INTEGER NOT NULL
);

-- What calls of an operator were given beside shapes and dtypes, where it was recorded.
CREATE TABLE operator_arguments (
  rank            INTEGER NOT NULL,
  phase           TEXT NOT NULL CHECK (phase IN ('warmup', 'capture', 'eager', 'replay')),
  signature       INTEGER NOT NULL REFERENCES signatures (id),
  input_strides   INTEGER NOT NULL REFERENCES texts (id),  -- compact JSON; '' = not recorded
  concrete_inputs INTEGER NOT NULL REFERENCES texts (id),  -- scalars as texts; likewise
  tensors         INTEGER NOT NULL REFERENCES texts (id),  -- which inputs are the same tensor: '[0,1,0]'
  calls           INTEGER NOT NULL
);

-- Device side: every device event is in exactly one row.
CREATE TABLE device_times (
  rank           INTEGER NOT NULL,
  input          INTEGER NOT NULL REFERENCES inputs (id),  -- the trace that holds the events
  phase          TEXT NOT NULL CHECK (phase IN ('warmup', 'capture', 'eager', 'replay')),
  tier           TEXT NOT NULL CHECK (tier IN ('direct', 'exact', 'aligned', 'unattributed')),
  reason         TEXT NOT NULL,  -- '' for a full attribution; else 'no_launch', 'plan_mismatch', …
  signature      INTEGER REFERENCES signatures (id),       -- NULL if unattributed
  graph          INTEGER REFERENCES graphs (id),           -- replays whose graph is known
  recorded       INTEGER REFERENCES signatures (id),       -- what the profiler says of the kernel itself
  kernel         INTEGER NOT NULL REFERENCES texts (id),
  kind           INTEGER NOT NULL REFERENCES texts (id),   -- 'kernel', 'memcpy', 'memset', 'graph'
  device         INTEGER NOT NULL,
  stream         INTEGER NOT NULL,
  events         INTEGER NOT NULL,
  device_time_ns INTEGER NOT NULL
);

-- Engine steps seen in step annotations.
CREATE TABLE steps (
  rank           INTEGER NOT NULL,
  kind           TEXT NOT NULL CHECK (kind IN ('prefill', 'decode', 'mixed', 'other')),
  tokens         INTEGER NOT NULL,  -- tokens or batch size of the step; -1 = unknown
  steps          INTEGER NOT NULL,
  graph_launches INTEGER NOT NULL
);

-- Counted by the importer before anything was derived: what the ledger is checked against.
CREATE TABLE raw_counts (
  rank           INTEGER NOT NULL,
  input          INTEGER NOT NULL REFERENCES inputs (id),
  kind           INTEGER NOT NULL REFERENCES texts (id),
  events         INTEGER NOT NULL,
  device_time_ns INTEGER NOT NULL
);

-- Anomalies of the inputs, counted.
CREATE TABLE diagnostics (
  name     TEXT NOT NULL,
  severity TEXT NOT NULL,     -- 'info', 'data_loss', 'error'
  times    INTEGER NOT NULL,
  places   TEXT NOT NULL      -- the first places, one per line
);

-- The conservation checks as they were when the census was written.
CREATE TABLE checks (
  name   TEXT NOT NULL,
  passed INTEGER NOT NULL CHECK (passed IN (0, 1))
);

-- Signature × phase × kernel: which operator ran on which kernel, how often, how long.
CREATE VIEW operator_census AS
SELECT d.rank,
       d.phase,
       ifnull(s.operator, '')     AS operator,
       ifnull(s.input_shapes, '') AS input_shapes,
       ifnull(s.input_dtypes, '') AS input_dtypes,
       kernel.text                AS kernel_name,
       kind.text                  AS kind,
       d.tier                     AS attribution,
       d.reason,
       sum(d.events)              AS device_events,
       sum(d.device_time_ns)      AS device_time_ns
FROM device_times d
JOIN texts kernel ON kernel.id = d.kernel
JOIN texts kind ON kind.id = d.kind
LEFT JOIN signatures s ON s.id = d.signature
GROUP BY d.rank, d.phase, d.signature, d.kernel, d.kind, d.tier, d.reason;

-- Signature × phase × graph: how often each operator was called on the host or replayed.
CREATE VIEW operator_counts AS
SELECT c.rank,
       c.phase,
       s.operator,
       s.input_shapes,
       s.input_dtypes,
       g.number AS graph,
       g.label  AS graph_label,
       c.calls,
       c.cpu_time_ns,
       c.self_cpu_time_ns
FROM operator_calls c
JOIN signatures s ON s.id = c.signature
LEFT JOIN graphs g ON g.id = c.graph;

-- Strides, scalar arguments and shared tensors of each operator's calls.
CREATE VIEW argument_counts AS
SELECT a.rank,
       a.phase,
       s.operator,
       s.input_shapes,
       s.input_dtypes,
       strides.text  AS input_strides,
       concrete.text AS concrete_inputs,
       tensors.text  AS tensors,
       a.calls
FROM operator_arguments a
JOIN signatures s ON s.id = a.signature
JOIN texts strides ON strides.id = a.input_strides
JOIN texts concrete ON concrete.id = a.concrete_inputs
JOIN texts tensors ON tensors.id = a.tensors;

-- Where the device time is, by phase and by the way it was attributed.
CREATE VIEW ledger AS
SELECT rank,
       phase,
       tier                AS attribution,
       sum(events)         AS device_events,
       sum(device_time_ns) AS device_time_ns
FROM device_times
GROUP BY rank, phase, tier;

-- The ledger against the independent count: both differences are 0 in every row.
CREATE VIEW ledger_check AS
SELECT sums.rank,
       i.path,
       kind.text                     AS kind,
       sum(sums.raw_events)          AS raw_events,
       sum(sums.ledger_events)       AS ledger_events,
       sum(sums.raw_events) - sum(sums.ledger_events)   AS events_difference,
       sum(sums.raw_time_ns) - sum(sums.ledger_time_ns) AS device_time_difference_ns
FROM (SELECT rank, input, kind, events AS raw_events, device_time_ns AS raw_time_ns,
             0 AS ledger_events, 0 AS ledger_time_ns
      FROM raw_counts
      UNION ALL
      SELECT rank, input, kind, 0, 0, events, device_time_ns
      FROM device_times) sums
JOIN inputs i ON i.id = sums.input
JOIN texts kind ON kind.id = sums.kind
GROUP BY sums.rank, sums.input, sums.kind;

-- What each captured graph does, launch by launch.
CREATE VIEW graph_plan AS
SELECT g.rank,
       g.number                   AS graph,
       g.label                    AS graph_label,
       n.node,
       kind.text                  AS kind,
       ifnull(s.operator, '')     AS operator,
       top_operator.text          AS top_operator,
       ifnull(s.input_shapes, '') AS input_shapes,
       ifnull(s.input_dtypes, '') AS input_dtypes,
       kernel.text                AS kernel_name,
       grid.text                  AS grid,
       block.text                 AS block,
       n.tier                     AS attribution,
       n.executions,
       n.device_time_ns
FROM graph_nodes n
JOIN graphs g ON g.id = n.graph
JOIN texts kind ON kind.id = n.kind
JOIN texts top_operator ON top_operator.id = n.top_operator
JOIN texts kernel ON kernel.id = n.kernel
JOIN texts grid ON grid.id = n.grid
JOIN texts block ON block.id = n.block
LEFT JOIN signatures s ON s.id = n.signature
ORDER BY g.rank, g.number, n.node;

-- What has no operator, and why.
CREATE VIEW unattributed AS
SELECT rank,
       phase,
       reason,
       sum(events)         AS device_events,
       sum(device_time_ns) AS device_time_ns
FROM device_times
WHERE tier = 'unattributed'
GROUP BY rank, phase, reason;
