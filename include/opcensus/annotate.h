/* SPDX-License-Identifier: Apache-2.0
 *
 * Annotations for engines without torch: tell the agent which operator runs on this thread, so that
 * kernels launched or captured meanwhile get its name, shapes and dtypes.
 *
 * Header only, plain C (link with -ldl before glibc 2.34). Without the agent in the process a call
 * costs a few nanoseconds and does nothing, so that they can stay in a release build. Thread: any;
 * begin and end nest properly on each thread.
 *
 *     opcensus_op_begin("my::attention", "[[8,16,1,128],[8,16,512,128]]", "[\"bf16\",\"bf16\"]");
 *     launch(...);
 *     opcensus_op_end();
 */
#ifndef OPCENSUS_ANNOTATE_H
#define OPCENSUS_ANNOTATE_H

#include <dlfcn.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef void (*opcensus_begin_function)(const char* name,
                                        const char* input_shapes,
                                        const char* input_dtypes);
typedef void (*opcensus_end_function)(void);

/* The driver loads the agent when the process first uses CUDA, so it is looked for again now and
 * then. */
static inline void* opcensus_find(const char* symbol, void** found, unsigned* calls) {
  if (!*found && (*calls)++ % 1024 == 0) {
    *found = dlsym(RTLD_DEFAULT, symbol);
  }
  return *found;
}

/* `input_shapes` and `input_dtypes` are compact JSON, or null. The texts are copied. */
static inline void opcensus_op_begin(const char* name,
                                     const char* input_shapes,
                                     const char* input_dtypes) {
  static void* found;
  static unsigned calls;
  if (opcensus_find("opcensus_annotate_begin", &found, &calls)) {
    ((opcensus_begin_function)found)(name, input_shapes, input_dtypes);
  }
}

static inline void opcensus_op_end(void) {
  static void* found;
  static unsigned calls;
  if (opcensus_find("opcensus_annotate_end", &found, &calls)) {
    ((opcensus_end_function)found)();
  }
}

#ifdef __cplusplus
}
#endif

#endif
