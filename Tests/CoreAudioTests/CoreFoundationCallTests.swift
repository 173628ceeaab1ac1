// SPDX-License-Identifier: Apache-2.0

import AudioToolbox
import Testing

/// CoreFoundation calls that audio programs for other systems make in Swift.
@Suite("Calls of CoreFoundation in Swift")
struct CoreFoundationCallTests {
  private static let utf8 = CFStringBuiltInEncodings.UTF8.rawValue

  @Test("accept strings")
  func strings() throws {
    let text = "Grüße"
    #expect(CFStringGetLength("x" as CFString) == 1)
    #expect(CFStringGetLength(text as CFString) == 5)
    #expect(CFStringHasPrefix(text as CFString, "Gr" as CFString))
    #expect(CFStringCompare("a" as CFString, "b" as CFString, []) == .compareLessThan)
    var bytes = [CChar](repeating: 0, count: 16)
    #expect(CFStringGetCString(text as CFString, &bytes, bytes.count, Self.utf8))
    #expect(bytes.withUnsafeBufferPointer { $0.baseAddress.map(String.init(cString:)) } == text)
    let made: CFString = try #require(CFStringCreateWithCString(nil, "made", Self.utf8))
    #expect(made as String == "made")
    #expect(String(cString: try #require(CFStringGetCStringPtr(made, Self.utf8))) == "made")
  }

  @Test("create and read URLs")
  func urls() throws {
    let file: CFURL = try #require(
      CFURLCreateWithFileSystemPath(
        kCFAllocatorDefault, "/tmp/a b.wav" as CFString, .cfurlposixPathStyle, false))
    #expect(CFURLGetString(file) as String == "file:///tmp/a%20b.wav")
    #expect(CFURLCopyLastPathComponent(file) as String == "a b.wav")
    #expect(CFURLCopyPathExtension(file) as String == "wav")
    #expect(CFURLCopyFileSystemPath(file, .cfurlposixPathStyle) as String == "/tmp/a b.wav")
    let same = URL(fileURLWithPath: "/tmp/a b.wav") as CFURL
    #expect(CFURLGetString(same) == CFURLGetString(file))
    let text = try #require(CFURLCreateWithString(nil, "c.wav" as CFString, file))
    #expect(CFURLCopyLastPathComponent(text) as String == "c.wav")
  }

  @Test("accept dictionaries and data")
  func collections() {
    let dictionary: CFDictionary = ["a": 1, "b": 2]
    #expect(CFDictionaryGetCount(dictionary) == 2)
    let data = Data([7, 8, 9]) as CFData
    #expect(CFDataGetLength(data) == 3)
    #expect(CFDataGetBytePtr(data)[2] == 9)
  }

  @Test("run a run loop in a named mode")
  func runLoop() {
    // A run loop without sources has nothing to wait for.
    #expect(CFRunLoopRunInMode(.defaultMode, 0, true) != .handledSource)
  }

  @Test("return a pointer into an ASCII name that the library returned")
  func names() throws {
    var query = AudioComponentDescription()
    query.componentType = kAudioUnitType_Output
    let component = try #require(AudioComponentFindNext(nil, &query))
    var name: Unmanaged<CFString>?
    #expect(AudioComponentCopyName(component, &name) == noErr)
    let string = try #require(name?.takeRetainedValue())
    let text = try #require(CFStringGetCStringPtr(string, Self.utf8))
    #expect(String(cString: text) == string as String)
  }
}

/// The types of handles in Swift.
@Suite("Handles in Swift")
struct HandleTypeTests {
  @Test("have different types for units and graphs")
  func types() {
    func kind(_ handle: AudioUnit.Type) -> String { "unit" }
    func kind(_ handle: AUGraph.Type) -> String { "graph" }
    #expect(kind(AudioUnit.self) == "unit" && kind(AUGraph.self) == "graph")
    #expect(AudioUnit.self == UnsafeMutablePointer<ComponentInstanceRecord>.self)
  }

  @Test("can be created from a callback's context, as on other systems")
  func context() throws {
    var query = AudioComponentDescription()
    query.componentType = kAudioUnitType_Output
    var unit: AudioUnit?
    let component = try #require(AudioComponentFindNext(nil, &query))
    #expect(AudioComponentInstanceNew(component, &unit) == noErr)
    let handle = try #require(unit)
    let context = UnsafeMutableRawPointer(handle)
    #expect(AudioUnit(context) == handle)
    #expect(AudioComponentInstanceDispose(AudioUnit(context)) == noErr)
  }
}

@Suite("Notes in Swift")
struct NoteTests {
  @Test("are refused by a unit that plays none, with the documented code and a reason")
  func ignored() throws {
    var query = AudioComponentDescription(
      componentType: kAudioUnitType_Effect, componentSubType: kAudioUnitSubType_LowPassFilter,
      componentManufacturer: kAudioUnitManufacturer_Apple, componentFlags: 0,
      componentFlagsMask: 0)
    var made: AudioUnit?
    let component = try #require(AudioComponentFindNext(nil, &query))
    #expect(AudioComponentInstanceNew(component, &made) == noErr)
    let unit = try #require(made)
    defer { AudioComponentInstanceDispose(unit) }
    #expect(MusicDeviceMIDIEvent(unit, 0x90, 60, 100, 0) == kAudio_UnimplementedError)
    let reason = AUDiagnosticsCopyLastExplanation()?.takeRetainedValue() as String?
    #expect(reason?.contains("it does not accept notes") == true)
    #expect(AudioUnitInitialize(unit) == noErr)
  }
}
