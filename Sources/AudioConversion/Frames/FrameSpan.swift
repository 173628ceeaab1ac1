// SPDX-License-Identifier: Apache-2.0

/// Frames that lie somewhere in memory, to be read: where each buffer of their format begins.
package struct FrameSpan {
  /// A place for each buffer of the format.
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

/// Room for frames: where each buffer of their format begins.
package struct FrameRoom {
  /// A place for each buffer of the format.
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
