// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import Foundation

@testable import BuiltInUnits
@testable import PlugInDiscovery

/// Reads an instrument of a SoundFont, and makes another SoundFont of it.
func readBank(_ bytes: [UInt8]) {
  var choices = Choices(bytes)
  let (bank, program) = (choices.number(below: 3), choices.number(below: 3))
  inputFile.write(choices.rest())
  guard let copy = BankInstrumentCopy(inputFile.path, bank: bank, program: program) else { return }
  require(copy.bytes.count < 1 << 28, "a copy of \(copy.bytes.count) bytes")
}

/// The kinds of files that name the samples of an instrument.
enum InstrumentKind: Sendable {
  case preset, exs

  var type: UInt8 {
    switch self {
    case .preset: UInt8(kInstrumentType_AUPreset)
    case .exs: UInt8(kInstrumentType_EXS24)
    }
  }
}

/// Loads an instrument from a file, and plays a note.
func loadInstrument(_ bytes: [UInt8], _ kind: InstrumentKind) {
  _ = toneFile
  inputFile.write(bytes)
  guard let unit = OfflineUnit(kAudioUnitType_MusicDevice, kAudioUnitSubType_Sampler) else {
    return
  }
  let url = URL(fileURLWithPath: inputFile.path) as CFURL
  var data = AUSamplerInstrumentData(
    fileURL: .passUnretained(url), instrumentType: kind.type, bankMSB: 0, bankLSB: 0, presetID: 0)
  let status = withExtendedLifetime(url) {
    AudioUnitSetProperty(
      unit.handle, AudioUnitPropertyID(kAUSamplerProperty_LoadInstrument), kAudioUnitScope_Global,
      0, &data, UInt32(MemoryLayout.size(ofValue: data)))
  }
  guard status == noErr else { return }
  _ = MusicDeviceMIDIEvent(unit.handle, 0x90, 60, 100, 0)
  unit.render(256)
}

/// Reads the cache of plug-ins, and the property list of a folder with audio units.
func readPlugIns(_ bytes: [UInt8]) {
  var choices = Choices(bytes)
  if choices.number(below: 2) == 0 {
    let heading = "swift-audiotoolbox plug-ins 1 \(SearchFolders.triplet)\n"
    for file in ScanCache.parse(Array(heading.utf8) + choices.rest()) {
      for plugIn in file.plugIns {
        let line = Array(ScanFields.line(plugIn).utf8)
        let again = ScanFields.plugIn(line[...], format: plugIn.format, path: plugIn.path)
        require(again == plugIn, "\(plugIn) is another after it was written")
      }
    }
  } else {
    inputFile.write(choices.rest())
    require(!ComponentFolder(componentFolder).units().isEmpty, "neither a unit nor a reason")
  }
}

/// A folder of audio units whose property list is `inputFile`, in whichever process.
private let componentFolder: String = {
  let folder = NSTemporaryDirectory() + "fuzz.component"
  try? FileManager.default.createDirectory(
    atPath: "\(folder)/Contents", withIntermediateDirectories: true)
  try? FileManager.default.createSymbolicLink(
    atPath: "\(folder)/Contents/Info.plist", withDestinationPath: inputFile.path)
  return folder
}()
