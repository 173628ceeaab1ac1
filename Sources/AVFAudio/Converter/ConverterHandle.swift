// SPDX-License-Identifier: Apache-2.0
import AudioToolbox

/// A converter of AudioConverter.h, and its properties.
///
/// A property that cannot be read is nil, and one that cannot be set stays as it is;
/// `AUDIOTOOLBOX_LOG` shows why.
final class ConverterHandle: @unchecked Sendable {  // the functions are safe for threads
  let converter: AudioConverterRef

  init?(from source: AVAudioFormat, to destination: AVAudioFormat) {
    var converter: AudioConverterRef?
    guard
      AudioConverterNew(source.streamDescription, destination.streamDescription, &converter)
        == noErr, let converter
    else { return nil }
    self.converter = converter
  }

  deinit { AudioConverterDispose(converter) }

  /// Reads a value.
  func value<Value: BitwiseCopyable>(_ id: AudioConverterPropertyID, _ initial: Value) -> Value? {
    var value = initial
    var size = UInt32(MemoryLayout<Value>.size)
    return AudioConverterGetProperty(converter, id, &size, &value) == noErr ? value : nil
  }

  /// Reads an array, with `filler` for its initial elements.
  func values<Value: BitwiseCopyable>(
    _ id: AudioConverterPropertyID, filler: Value
  ) -> [Value]? {
    var size: UInt32 = 0
    guard AudioConverterGetPropertyInfo(converter, id, &size, nil) == noErr else { return nil }
    var values = [Value](repeating: filler, count: Int(size) / MemoryLayout<Value>.stride)
    return AudioConverterGetProperty(converter, id, &size, &values) == noErr ? values : nil
  }

  /// Sets a value.
  func set<Value: BitwiseCopyable>(_ id: AudioConverterPropertyID, to value: Value) {
    withUnsafePointer(to: value) {
      _ = AudioConverterSetProperty(converter, id, UInt32(MemoryLayout<Value>.size), $0)
    }
  }

  /// Sets an array, and returns whether that succeeded.
  @discardableResult
  func set<Value: BitwiseCopyable>(_ id: AudioConverterPropertyID, to values: [Value]) -> Bool {
    values.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress else { return false }
      return AudioConverterSetProperty(converter, id, UInt32(bytes.count), start) == noErr
    }
  }
}
