// SPDX-License-Identifier: Apache-2.0
public import CAudioToolbox
public import Foundation

/// Memory for audio in a format: an `AVAudioPCMBuffer` or an `AVAudioCompressedBuffer`.
///
/// Only one thread may change a buffer at a time.
open class AVAudioBuffer: NSObject, NSCopying, NSMutableCopying {
  private let bufferFormat: AVAudioFormat
  let storage: BufferStorage

  init(_ format: AVAudioFormat, _ storage: BufferStorage) {
    bufferFormat = format
    self.storage = storage
  }

  /// The format of the audio.
  open var format: AVAudioFormat { bufferFormat }

  /// The memory as C sees it; the byte counts are those of the valid part. The list must not be
  /// changed, but what is in its memory may be.
  open var audioBufferList: UnsafePointer<AudioBufferList> { storage.validList }

  /// The memory for C functions that fill it; the byte counts are the capacity. Byte counts that a
  /// function sets become those of the valid part.
  open var mutableAudioBufferList: UnsafeMutablePointer<AudioBufferList> { storage.wholeList }

  /// A buffer with its own copy of the memory.
  open func copy(with zone: NSZone? = nil) -> Any {
    fatalError("AVAudioBuffer: only its subclasses have instances")
  }

  /// A buffer with its own copy of the memory.
  open func mutableCopy(with zone: NSZone? = nil) -> Any { copy(with: zone) }
}
