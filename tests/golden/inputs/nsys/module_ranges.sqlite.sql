-- A run without PyTorch's own ranges: layer-wise markers and a step, as vLLM and SGLang write them.
-- Schema 3.24: no graph tables, no graphNodeId.
CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT NOT NULL);
INSERT INTO StringIds VALUES (1, 'kernel_a'), (2, 'cudaLaunchKernel_v7000'),
  (3, 'execute_context_0(0)_generation_8(8)');
CREATE TABLE META_DATA_EXPORT (name TEXT NOT NULL, value TEXT);
INSERT INTO META_DATA_EXPORT VALUES ('EXPORT_SCHEMA_VERSION', '3.24.14');
CREATE TABLE NVTX_EVENTS (
  start INTEGER NOT NULL, end INTEGER, eventType INTEGER NOT NULL, text TEXT,
  globalTid INTEGER, textId INTEGER);
INSERT INTO NVTX_EVENTS VALUES
  (100, 900, 59, NULL, (1 << 48) + (47 << 24) + 47, 3),
  (200, 400, 59, '{''Module'': ''model.layers.0.mlp'', ''TrainableParams'': {}, ''Inputs'': [[8, 4096]]}', (1 << 48) + (47 << 24) + 47, NULL),
  (500, 700, 59, '{''Module'': ''model.norm'', ''TrainableParams'': {''weight'': [4096]}, ''Inputs'': [[8, 4096]]}', (1 << 48) + (47 << 24) + 47, NULL);
CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (
  start INTEGER NOT NULL, end INTEGER NOT NULL, globalTid INTEGER, correlationId INTEGER,
  nameId INTEGER NOT NULL);
INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES
  (250, 255, (1 << 48) + (47 << 24) + 47, 5, 2), (550, 555, (1 << 48) + (47 << 24) + 47, 6, 2),
  (800, 805, (1 << 48) + (47 << 24) + 47, 7, 2), (950, 955, (1 << 48) + (47 << 24) + 47, 8, 2);
CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (
  start INTEGER NOT NULL, end INTEGER NOT NULL, deviceId INTEGER NOT NULL, streamId INTEGER NOT NULL,
  correlationId INTEGER, shortName INTEGER NOT NULL);
INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (260, 300, 0, 7, 5, 1), (560, 580, 0, 7, 6, 1),
  (810, 815, 0, 7, 7, 1), (960, 963, 0, 7, 8, 1);
