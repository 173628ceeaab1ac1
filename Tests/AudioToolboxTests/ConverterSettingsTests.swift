// SPDX-License-Identifier: Apache-2.0

import AudioToolbox
import Foundation
import Testing

/// Converter settings as Core Foundation objects, as programs read and set them.
@Suite("Settings of converters")
struct ConverterSettingsTests {
  private func converter(to id: AudioFormatID, rate: Double = 48_000) throws -> AudioConverterRef {
    var input = AudioStreamBasicDescription(
      mSampleRate: 44_100, mFormatID: kAudioFormatLinearPCM,
      mFormatFlags: kAudioFormatFlagIsPacked | kAudioFormatFlagIsFloat, mBytesPerPacket: 8,
      mFramesPerPacket: 1, mBytesPerFrame: 8, mChannelsPerFrame: 2, mBitsPerChannel: 32,
      mReserved: 0)
    var output = input
    output.mSampleRate = rate
    if id != kAudioFormatLinearPCM {
      output = AudioStreamBasicDescription()
      output.mSampleRate = rate
      output.mFormatID = id
      output.mChannelsPerFrame = 2
    } else {
      output.mFormatFlags = kAudioFormatFlagIsPacked | kAudioFormatFlagIsSignedInteger
      (output.mBytesPerPacket, output.mBytesPerFrame, output.mBitsPerChannel) = (4, 4, 16)
    }
    var made: AudioConverterRef?
    #expect(AudioConverterNew(&input, &output, &made) == noErr)
    return try #require(made)
  }

  private func settings(_ converter: AudioConverterRef, _ id: AudioConverterPropertyID) throws
    -> NSObject
  {
    var size: UInt32 = 0
    #expect(AudioConverterGetPropertyInfo(converter, id, &size, nil) == noErr)
    #expect(size == 8)
    var object: UnsafeRawPointer?
    #expect(AudioConverterGetProperty(converter, id, &size, &object) == noErr)
    let address = try #require(object)
    return Unmanaged<NSObject>.fromOpaque(address).takeRetainedValue()
  }

  private func set(
    _ converter: AudioConverterRef, _ id: AudioConverterPropertyID, _ value: NSObject
  )
    -> OSStatus
  {
    var object = UnsafeRawPointer(Unmanaged.passUnretained(value).toOpaque())
    return withExtendedLifetime(value) { AudioConverterSetProperty(converter, id, 8, &object) }
  }

  private func word(_ converter: AudioConverterRef, _ id: AudioConverterPropertyID) -> UInt32 {
    var value: UInt32 = 0
    var size: UInt32 = 4
    #expect(AudioConverterGetProperty(converter, id, &size, &value) == noErr)
    return value
  }

  /// The groups with a new value for one setting.
  private func changed(_ groups: [[String: Any]], _ key: String, to value: NSNumber)
    -> [[String: Any]]
  {
    groups.map { group in
      var group = group
      let parameters = group[kAudioSettings_Parameters] as? [[String: Any]] ?? []
      group[kAudioSettings_Parameters] = parameters.map { parameter in
        var parameter = parameter
        if parameter[kAudioSettings_SettingKey] as? String == key {
          parameter[kAudioSettings_CurrentValue] = value
        }
        return parameter
      }
      return group
    }
  }

  @Test("are an array of all settings, which applies changed values when it is set")
  func array() throws {
    let converter = try converter(to: kAudioFormatLinearPCM)
    defer { #expect(AudioConverterDispose(converter) == noErr) }
    let list = try settings(converter, kAudioConverterPropertySettings)
    let groups = try #require(list as? NSArray as? [[String: Any]])
    #expect(
      groups.map { $0[kAudioSettings_TopLevelKey] as? String }
        == ["Sample Rate Converter", "Dither"])
    var new = changed(
      groups, "srca", to: NSNumber(value: kAudioConverterSampleRateConverterComplexity_Mastering))
    new = changed(new, "srcp", to: NSNumber(value: 0.25))
    new = changed(new, "dith", to: 1)
    #expect(set(converter, kAudioConverterPropertySettings, NSArray(array: new)) == noErr)
    #expect(
      word(converter, kAudioConverterSampleRateConverterComplexity)
        == UInt32(kAudioConverterSampleRateConverterComplexity_Mastering))
    #expect(word(converter, kAudioConverterPropertyDithering) == 1)
    var phase = 0.0
    var size: UInt32 = 8
    #expect(
      AudioConverterGetProperty(
        converter, kAudioConverterSampleRateConverterInitialPhase, &size, &phase) == noErr)
    #expect(abs(phase - 0.25) < 0.004)
  }

  @Test("are a dictionary for an encoder")
  func dictionary() throws {
    let converter = try converter(to: kAudioFormatOpus)
    defer { #expect(AudioConverterDispose(converter) == noErr) }
    let list = try settings(converter, kAudioCodecPropertySettings)
    let group = try #require(list as? NSDictionary as? [String: Any])
    #expect(group[kAudioSettings_TopLevelKey] as? String == "Opus encoder")
    let new = changed(changed([group], "brat", to: 96_000), "acbf", to: 0)
    #expect(set(converter, kAudioCodecPropertySettings, NSDictionary(dictionary: new[0])) == noErr)
    #expect(word(converter, kAudioConverterEncodeBitRate) == 96_000)
    #expect(word(converter, kAudioCodecPropertyBitRateControlMode) == 0)
    #expect(try settings(converter, kAudioCodecPropertyNameCFString) as? NSString == "Opus encoder")
  }

  @Test("are refused if they have a wrong type or belong to another converter")
  func refusals() throws {
    let converter = try converter(to: kAudioFormatLinearPCM)
    defer { #expect(AudioConverterDispose(converter) == noErr) }
    let id = kAudioConverterPropertySettings
    let odd: [NSObject] = [
      NSString(string: "fast"), NSArray(array: [NSString(string: "fast")]),
      NSArray(array: [NSDictionary()]),
      NSArray(array: [
        [kAudioSettings_Parameters: [[kAudioSettings_SettingKey: "none"]]] as NSDictionary
      ]),
      NSArray(array: changed([["parameters": [["key": "brat", "current value": 1]]]], "", to: 0)),
      NSArray(
        array: changed([["parameters": [["key": "srca", "current value": "x"]]]], "", to: 0)),
    ]
    for value in odd { #expect(set(converter, id, value) != noErr) }
    var null: UnsafeRawPointer?
    #expect(AudioConverterSetProperty(converter, id, 8, &null) != noErr)
    #expect(AudioConverterSetProperty(converter, id, 4, &null) != noErr)
  }
}
