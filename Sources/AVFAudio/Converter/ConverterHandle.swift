// SPDX-License-Identifier: Apache-2.0
import AudioToolbox

/// A converter of AudioConverter.h, and its properties.
///
/// A property that cannot be read is nil, and one that cannot be set stays as it is;
/// `AUDIOTOOLBOX_LOG` shows why. Each use of the converter holds a lock: a property that another
/// thread wants waits for the conversion, or for its next call of the input block.
final class ConverterHandle: @unchecked Sendable {  // used under `use`
  let converter: AudioConverterRef
  /// Not one of the library's: to the C functions, this class is a program.
  let use = NSLock()

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
    let status = use.withLock { AudioConverterGetProperty(converter, id, &size, &value) }
    return status == noErr ? value : nil
  }

  /// Reads an array, with `filler` for its initial elements.
  func values<Value: BitwiseCopyable>(
    _ id: AudioConverterPropertyID, filler: Value
  ) -> [Value]? {
    use.withLock {
      var size: UInt32 = 0
      guard AudioConverterGetPropertyInfo(converter, id, &size, nil) == noErr else { return nil }
      var values = [Value](repeating: filler, count: Int(size) / MemoryLayout<Value>.stride)
      return AudioConverterGetProperty(converter, id, &size, &values) == noErr ? values : nil
    }
  }

  /// Sets a value.
  func set<Value: BitwiseCopyable>(_ id: AudioConverterPropertyID, to value: Value) {
    withUnsafePointer(to: value) { value in
      _ = use.withLock {
        AudioConverterSetProperty(converter, id, UInt32(MemoryLayout<Value>.size), value)
      }
    }
  }

  /// Sets an array, and returns whether that succeeded.
  @discardableResult
  func set<Value: BitwiseCopyable>(_ id: AudioConverterPropertyID, to values: [Value]) -> Bool {
    values.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress else { return false }
      return use.withLock {
        AudioConverterSetProperty(converter, id, UInt32(bytes.count), start) == noErr
      }
    }
  }
}
