// SPDX-License-Identifier: Apache-2.0
#include "src/base/issue.h"

#include <array>

namespace opcensus {
namespace {

constexpr std::array<IssueInfo, kIssueCount> kIssues{{
    {"truncated_input",
     Severity::DataLoss,
     "The file ends in the middle; everything before that point is in the report.",
     "Wait until the profiler has finished writing, copy the file again, or profile again."},
    {"damaged_compression",
     Severity::DataLoss,
     "The compressed data is damaged; what came out before the damage is in the report.",
     "Copy the file again; if it was written by two processes at once, give each its own "
     "directory."},
    {"trailing_bytes",
     Severity::Info,
     "Bytes after the end of the trace were ignored.",
     "Nothing to do if the file was padded or appended to; otherwise look at it."},
    {"bad_event",
     Severity::DataLoss,
     "An event was left out because a field that it needs is missing or has the wrong type.",
     "Look at the byte offset; a newer profiler version may write it correctly."},
    {"invalid_json",
     Severity::DataLoss,
     "A stretch of the file is not valid JSON; the events in it were left out.",
     "Old profilers do not escape quotes in names: switch with_stack off, or use a newer torch."},
    {"non_finite_number",
     Severity::Info,
     "A number was written as inf, NaN or N/A, and was taken as missing.",
     "Nothing to do: such values are derived ones (bandwidth, occupancy)."},
    {"negative_duration",
     Severity::Info,
     "An event ends before it starts; its duration was taken as 0.",
     "A clock was adjusted while profiling; trust counts more than times in this trace."},
    {"time_out_of_range",
     Severity::DataLoss,
     "An event was left out because its time does not fit 64-bit nanoseconds.",
     "The trace is damaged at the byte offset shown."},
    {"unpaired_begin",
     Severity::DataLoss,
     "A begin event (ph B) has no end, or an end has no begin; it was left out.",
     "The recording stopped in the middle of it; record a little longer."},
    {"second_event_array",
     Severity::Info,
     "The file holds more than one traceEvents array; all of them were read.",
     "Make sure that two traces were not written into one file."},
    {"elided_tensor_list",
     Severity::Info,
     "A list of tensors has no shapes: the profiler leaves them out (PyTorch: above 30 tensors; "
     "torch_npu: always).",
     "Nothing to do: such an operator is listed with the shapes that were recorded."},
    {"unmerged_log",
     Severity::DataLoss,
     "A database has newer rows in its -wal file; they are not in the report.",
     "Close the program that has it open, or: sqlite3 FILE 'PRAGMA wal_checkpoint(TRUNCATE)'."},
    {"records_dropped",
     Severity::DataLoss,
     "The profiler dropped records while recording; what they held is not in the report.",
     "Record a shorter window, or fewer of them; opcensus record and nsys have larger buffers, "
     "too."},
    {"torn_recording",
     Severity::DataLoss,
     "The recording ends in the middle or is damaged; everything before that point is in the "
     "report.",
     "Nothing to do if the process was killed; otherwise copy the file again."},
    {"duplicate_input",
     Severity::Info,
     "The same trace was given twice; it was counted once.",
     "Nothing to do."},
    {"frontend_trace_ignored",
     Severity::Info,
     "A trace without any device event was left out (an API server or front end).",
     "Nothing to do; vLLM: set ignore_frontend so that it is not written."},
    {"merged_trace_ignored",
     Severity::Info,
     "A merged trace was left out because its per-rank parts are there too.",
     "Give the merged file alone to read it instead."},
    {"unreadable_input",
     Severity::DataLoss,
     "A file in the folder could not be read as a trace.",
     "See its own line; copy it again or remove it."},
    {"rank_unknown",
     Severity::Info,
     "Neither distributedInfo nor the file name tells the rank; rank 0 was assumed.",
     "Put rank0, rank1, … into the file names."},
    {"no_device_events",
     Severity::Error,
     "The trace holds no device events at all.",
     "torch.profiler: ProfilerActivity.CUDA, and no other CUPTI tool (nsys, ncu) attached. nsys: "
     "--trace=cuda."},
    {"no_input_shapes",
     Severity::Error,
     "Input shapes and dtypes were not recorded (record_shapes was off).",
     "vLLM: --profiler-config.torch_profiler_record_shapes=true. SGLang: record_shapes in the "
     "/start_profile body. torch: record_shapes=True. nsys: --pytorch=autograd-shapes-nvtx."},
    {"no_capture_trace",
     Severity::Error,
     "Graph replays cannot be given their operators: no trace of the graph capture is there.",
     "vLLM: --profiler-config.capture_torch_profiler=true (with VLLM_USE_V2_MODEL_RUNNER=0 where "
     "it is ignored). SGLang: --enable-profile-cuda-graph. Give that folder too."},
    {"no_warmup",
     Severity::Info,
     "The capture trace holds no warm-up pass, so kernel names of captured launches are unknown; "
     "replays were checked by count, kind and order only.",
     "Keep at least one warm-up run per graph inside the capture profile (vLLM: "
     "cudagraph_num_of_warmups)."},
    {"no_step_annotation",
     Severity::Info,
     "The trace does not mark engine steps, so times are given per graph replay.",
     "vLLM and SGLang mark steps by themselves; elsewhere use torch.profiler.record_function."},
    {"ambiguous_correlation",
     Severity::DataLoss,
     "A device event's correlation id fits launches of several processes.",
     "Give the per-rank traces instead of a merged one."},
    {"external_id_mismatch",
     Severity::Info,
     "The External id of a launch names another operator than the one that encloses it; enclosure "
     "was used.",
     "Nothing to do: in old traces the id is the correlation number, not a link."},
    {"overlapping_siblings",
     Severity::Info,
     "Operators of one thread overlap without nesting (rounded times); each launch went to the "
     "innermost that holds it.",
     "Nothing to do; newer profilers write nanoseconds."},
    {"ranges_as_operators",
     Severity::Info,
     "The trace holds no operators of the framework; the innermost NVTX range at each launch "
     "stands "
     "for one.",
     "Nothing to do if the ranges are the program's own; for PyTorch's operators and shapes: "
     "opcensus record without --torch-shim off, or nsys profile --pytorch=autograd-shapes-nvtx."},
    {"capture_aborted",
     Severity::Info,
     "A graph capture begins and never ends in the trace; it was not used as a plan.",
     "If that graph is replayed, make the profile end after its capture."},
    {"plan_never_replayed",
     Severity::Info,
     "A captured graph was never replayed in the runtime trace.",
     "Send requests of the missing batch sizes while profiling, if they matter."},
    {"replay_node_unseen",
     Severity::Info,
     "A replay ran without one of its captured launches; all others were matched by name.",
     "The last kernels of a window may be cut off: profile a little longer."},
    {"replay_node_stale",
     Severity::DataLoss,
     "A graph node ran another kernel than was captured into it; that event is unattributed.",
     "The graph was changed by a call that CUPTI does not report (before CUDA 13: "
     "cudaGraphExecUpdate); CUPTI 13 or later tells."},
    {"replay_mismatch",
     Severity::DataLoss,
     "A replay fits no captured graph; its device events are unattributed.",
     "Record capture and runtime in the same server run, with all capture sizes."},
    {"replay_ambiguous",
     Severity::DataLoss,
     "A replay fits several captured graphs with different shapes; only what they share is "
     "reported.",
     "Keep the step annotations on, or a warm-up pass inside the capture profile."},
    {"warmup_disagrees",
     Severity::Info,
     "Two warm-up passes ran different kernels for one operator; both are accepted at replay.",
     "Nothing to do: autotuning during the first warm-up does this."},
    {"indistinguishable_graphs",
     Severity::Info,
     "Several captured graphs are alike in every operator, shape and kernel; a replay among them "
     "was given to the latest capture.",
     "Nothing to do: the operators are the same either way."},
}};

}  // namespace

const IssueInfo& issue_info(Issue issue) {
  return kIssues[static_cast<std::size_t>(issue)];
}

std::string_view severity_name(Severity severity) {
  switch (severity) {
    case Severity::Info:
      return "info";
    case Severity::DataLoss:
      return "data_loss";
    case Severity::Error:
      return "error";
  }
  return "unknown";
}

}  // namespace opcensus
