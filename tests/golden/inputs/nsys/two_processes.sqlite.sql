-- Two processes whose correlation ids and graph nodes have equal numbers. Process 47 runs under
-- PyTorch's ranges, process 4711 likewise; each replays its own graph. A third stream has a graph
-- that was recorded as a whole.
CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT NOT NULL);
INSERT INTO StringIds VALUES (1, 'kernel_a'), (2, 'kernel_b'), (3, 'cudaLaunchKernel_v7000'),
  (4, 'cudaGraphLaunch_v10000');
CREATE TABLE META_DATA_EXPORT (name TEXT NOT NULL, value TEXT);
INSERT INTO META_DATA_EXPORT VALUES ('EXPORT_SCHEMA_VERSION', '3.25.0');
CREATE TABLE TARGET_INFO_GPU (id INTEGER NOT NULL, name TEXT NOT NULL);
INSERT INTO TARGET_INFO_GPU VALUES (0, 'NVIDIA H200'), (1, 'NVIDIA H200');
CREATE TABLE TARGET_INFO_CUDA_DEVICE (
  gpuId INTEGER NOT NULL, cudaId INTEGER NOT NULL, pid INTEGER NOT NULL);
INSERT INTO TARGET_INFO_CUDA_DEVICE VALUES (0, 0, 47), (1, 0, 4711);
CREATE TABLE NVTX_EVENTS (
  start INTEGER NOT NULL, end INTEGER, eventType INTEGER NOT NULL, text TEXT,
  globalTid INTEGER, endGlobalTid INTEGER, textId INTEGER, domainId INTEGER NOT NULL);
INSERT INTO NVTX_EVENTS VALUES
  (100, 200, 59, 'aten::mm, op_id = 1, sizes = [[8, 16], [16, 4]]', (1 << 48) + (47 << 24) + 47, NULL, NULL, 0),
  (100, 200, 59, 'aten::bmm, op_id = 1, sizes = [[2, 8, 16], [2, 16, 4]]', (1 << 48) + (4711 << 24) + 4711, NULL, NULL, 0),
  (300, 400, 59, 'aten::add, op_id = 2, sizes = [[8, 4], [8, 4], []]', (1 << 48) + (47 << 24) + 47, NULL, NULL, 0),
  (300, 400, 59, 'aten::mul, op_id = 2, sizes = [[2, 4], [2, 4]]', (1 << 48) + (4711 << 24) + 4711, NULL, NULL, 0),
  (900, NULL, 59, 'shutdown', (1 << 48) + (47 << 24) + 47, NULL, NULL, 0);
CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (
  start INTEGER NOT NULL, end INTEGER NOT NULL, globalTid INTEGER, correlationId INTEGER,
  nameId INTEGER NOT NULL);
INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES
  (150, 155, (1 << 48) + (47 << 24) + 47, 5, 3),
  (150, 155, (1 << 48) + (4711 << 24) + 4711, 5, 3),
  (600, 605, (1 << 48) + (47 << 24) + 47, 6, 4),
  (600, 605, (1 << 48) + (4711 << 24) + 4711, 6, 4),
  (700, 705, (1 << 48) + (47 << 24) + 47, 7, 4);
CREATE TABLE CUDA_GRAPH_NODE_EVENTS (
  start INTEGER NOT NULL, end INTEGER NOT NULL, globalTid INTEGER, graphNodeId INTEGER NOT NULL,
  originalGraphNodeId INTEGER);
INSERT INTO CUDA_GRAPH_NODE_EVENTS VALUES
  (350, 350, (1 << 48) + (47 << 24) + 47, 2 << 32, NULL),
  (350, 350, (1 << 48) + (4711 << 24) + 4711, 2 << 32, NULL),
  (500, 500, (1 << 48) + (47 << 24) + 47, 3 << 32, 2 << 32),
  (500, 500, (1 << 48) + (4711 << 24) + 4711, 3 << 32, 2 << 32);
CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (
  start INTEGER NOT NULL, end INTEGER NOT NULL, deviceId INTEGER NOT NULL, streamId INTEGER NOT NULL,
  correlationId INTEGER, globalPid INTEGER, demangledName INTEGER NOT NULL,
  gridX INTEGER, gridY INTEGER, gridZ INTEGER, blockX INTEGER, blockY INTEGER, blockZ INTEGER,
  graphNodeId INTEGER);
INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES
  (160, 171, 0, 7, 5, (1 << 48) + (47 << 24), 1, 1, 1, 1, 32, 1, 1, NULL),
  (160, 173, 0, 7, 5, (1 << 48) + (4711 << 24), 1, 1, 1, 1, 32, 1, 1, NULL),
  (610, 617, 0, 7, 6, (1 << 48) + (47 << 24), 2, 1, 1, 1, 32, 1, 1, 3 << 32),
  (610, 619, 0, 7, 6, (1 << 48) + (4711 << 24), 2, 1, 1, 1, 32, 1, 1, 3 << 32);
CREATE TABLE CUPTI_ACTIVITY_KIND_GRAPH_TRACE (
  start INTEGER NOT NULL, end INTEGER NOT NULL, deviceId INTEGER NOT NULL, streamId INTEGER NOT NULL,
  correlationId INTEGER, globalPid INTEGER, graphId INTEGER NOT NULL, graphExecId INTEGER NOT NULL);
INSERT INTO CUPTI_ACTIVITY_KIND_GRAPH_TRACE VALUES
  (710, 790, 0, 7, 7, (1 << 48) + (47 << 24), 8, 9);
