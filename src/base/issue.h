// SPDX-License-Identifier: Apache-2.0
//
// Issue: one named kind of anomaly. A bad record is data about a trace, not an exception: it is
// counted, the first places are kept, and the report shows it with its remedy.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace opcensus {

enum class Severity : std::uint8_t {
  Info,      ///< good to know; nothing is missing
  DataLoss,  ///< something that was in the input is not in the result; --strict refuses
  Error,     ///< the result is wrong in a stated way; --strict refuses
};

// Append at the end of a group only; the name (issue_info) is what files and users see.
enum class Issue : std::uint8_t {
  // what the bytes held
  TruncatedInput,
  DamagedCompression,
  TrailingBytes,
  BadEvent,
  InvalidJson,
  NonFiniteNumber,
  NegativeDuration,
  TimeOutOfRange,
  UnpairedBegin,
  SecondEventArray,
  ElidedTensorList,
  UnmergedLog,
  RecordsDropped,
  TornRecording,
  // what the set of inputs held
  DuplicateInput,
  FrontendTraceIgnored,
  MergedTraceIgnored,
  UnreadableInput,
  RankUnknown,
  // what the trace could not tell
  NoDeviceEvents,
  NoInputShapes,
  NoCaptureTrace,
  NoWarmup,
  NoStepAnnotation,
  AmbiguousCorrelation,
  ExternalIdMismatch,
  OverlappingSiblings,
  RangesAsOperators,
  // what attribution found
  CaptureAborted,
  PlanNeverReplayed,
  ReplayNodeUnseen,
  ReplayNodeStale,
  ReplayMismatch,
  ReplayAmbiguous,
  WarmupDisagrees,
  IndistinguishableGraphs,
  kCount
};

struct IssueInfo {
  std::string_view name;  ///< snake_case; stable
  Severity severity;
  std::string_view sentence;  ///< what it means
  std::string_view remedy;    ///< what to do; never empty
};

[[nodiscard]] const IssueInfo& issue_info(Issue issue);

[[nodiscard]] std::string_view severity_name(Severity severity);

inline constexpr std::size_t kIssueCount = static_cast<std::size_t>(Issue::kCount);

}  // namespace opcensus
