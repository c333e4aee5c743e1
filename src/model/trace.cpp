// SPDX-License-Identifier: Apache-2.0
#include "src/model/trace.h"

namespace opcensus {

std::string_view metadata_status_name(MetadataStatus status) {
  switch (status) {
    case MetadataStatus::ShapeAndDtype:
      return "shape_and_dtype";
    case MetadataStatus::ShapeOnly:
      return "shape_only";
    case MetadataStatus::DtypeOnly:
      return "dtype_only";
    case MetadataStatus::NoInputMetadata:
      return "no_input_metadata";
  }
  return "unknown";
}

MetadataStatus Signature::metadata_status() const {
  if (input_shapes.has_value()) {
    return input_dtypes.has_value() ? MetadataStatus::ShapeAndDtype : MetadataStatus::ShapeOnly;
  }
  return input_dtypes.has_value() ? MetadataStatus::DtypeOnly : MetadataStatus::NoInputMetadata;
}

std::string_view device_event_kind_name(DeviceEventKind kind) {
  switch (kind) {
    case DeviceEventKind::Kernel:
      return "kernel";
    case DeviceEventKind::Memcpy:
      return "memcpy";
    case DeviceEventKind::Memset:
      return "memset";
    case DeviceEventKind::Graph:
      return "graph";
  }
  return "unknown";
}

}  // namespace opcensus
