// SPDX-License-Identifier: Apache-2.0
#include "src/model/trace.h"

#include <gtest/gtest.h>

namespace opcensus {
namespace {

TEST(Signature, TellsWhichPartsWereRecorded) {
  const StringId text(0);
  EXPECT_EQ((Signature{text, text, text}.metadata_status()), MetadataStatus::ShapeAndDtype);
  EXPECT_EQ((Signature{text, text, {}}.metadata_status()), MetadataStatus::ShapeOnly);
  EXPECT_EQ((Signature{text, {}, text}.metadata_status()), MetadataStatus::DtypeOnly);
  EXPECT_EQ((Signature{text, {}, {}}.metadata_status()), MetadataStatus::NoInputMetadata);
}

TEST(TraceNames, AreThoseOfTheOutputFiles) {
  EXPECT_EQ(metadata_status_name(MetadataStatus::ShapeAndDtype), "shape_and_dtype");
  EXPECT_EQ(metadata_status_name(MetadataStatus::ShapeOnly), "shape_only");
  EXPECT_EQ(metadata_status_name(MetadataStatus::DtypeOnly), "dtype_only");
  EXPECT_EQ(metadata_status_name(MetadataStatus::NoInputMetadata), "no_input_metadata");
  EXPECT_EQ(device_event_kind_name(DeviceEventKind::Kernel), "kernel");
  EXPECT_EQ(device_event_kind_name(DeviceEventKind::Memcpy), "memcpy");
  EXPECT_EQ(device_event_kind_name(DeviceEventKind::Memset), "memset");
}

}  // namespace
}  // namespace opcensus
