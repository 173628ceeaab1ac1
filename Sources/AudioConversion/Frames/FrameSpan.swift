// SPDX-License-Identifier: Apache-2.0

/// Frames in memory for reading: the start of each buffer of their format.
package struct FrameSpan {
  /// The address of each buffer of the format.
  package var buffers: UnsafePointer<UnsafeRawPointer>
  /// The first frame, counted from there.
  package var start: Int
  package var count: Int

  @_noLocks
  package init(_ buffers: UnsafePointer<UnsafeRawPointer>, from start: Int, count: Int) {
    self.buffers = buffers
    self.start = start
    self.count = count
  }
}

/// Memory for frames to be written: the start of each buffer of their format.
package struct FrameRoom {
  /// The address of each buffer of the format.
  package var buffers: UnsafePointer<UnsafeMutableRawPointer>
  /// The first frame to write, counted from there.
  package var start: Int
  package var count: Int

  @_noLocks
  package init(_ buffers: UnsafePointer<UnsafeMutableRawPointer>, from start: Int, count: Int) {
    self.buffers = buffers
    self.start = start
    self.count = count
  }
}
