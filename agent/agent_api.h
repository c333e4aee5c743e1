/* SPDX-License-Identifier: Apache-2.0
 *
 * What libopcensus_agent.so exports to its helpers in the same process (the torch shim). Found with
 * dlsym, never linked. Engines without torch use include/opcensus/annotate.h instead.
 *
 * Thread: any. Every function is noexcept and cheap; before the agent has started, or after it has
 * switched itself off, all of them do nothing.
 */
#ifndef OPCENSUS_AGENT_API_H
#define OPCENSUS_AGENT_API_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define OPCENSUS_AGENT_API_VERSION 2

/* 1 while operators are wanted: a graph is being captured in this process, or a window is open. */
typedef struct OpcensusAgentApi {
  uint32_t version; /* OPCENSUS_AGENT_API_VERSION */
  uint32_t bytes;   /* of this struct */

  /* Gives a distinct operator its id (from 1); the same texts give the same id. Shapes, dtypes,
   * strides and concrete inputs are compact JSON or null. kind: 0 operator, 1 annotation. Takes a
   * lock: callers keep a cache in front of it. Returns 0 when the agent is off. */
  uint32_t (*intern_operator)(const char* name,
                              const char* input_shapes,
                              const char* input_dtypes,
                              const char* input_strides,
                              const char* concrete_inputs,
                              uint32_t kind);

  /* The thread that asks, for push and pop on it. Kept by the caller: finding it is half the cost
   * of a push. Valid until the thread destroys what it made thread-local before this call; null
   * when the agent is off. */
  void* (*this_thread)(void);

  /* The operator that starts on this thread, and its end. Properly nested. Nothing happens for
   * null. */
  void (*push)(void* this_thread, uint32_t op);
  void (*pop)(void* this_thread);

  /* A fact about the run, written into the recording: "torch_version", "2.11.0". */
  void (*set_property)(const char* name, const char* value);

  /* Called once by a helper that can be switched on and off: `wanted(1)` when operators are needed
   * (a capture begins, a window opens), `wanted(0)` when not. May be called on any thread. */
  void (*set_listener)(void (*wanted)(int on));
} OpcensusAgentApi;

/* The one exported symbol beside InitializeInjection and the annotate functions. Null when off. */
const OpcensusAgentApi* opcensus_agent_api(void);

#ifdef __cplusplus
}
#endif

#endif
