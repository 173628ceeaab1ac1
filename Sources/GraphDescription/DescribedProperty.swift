// SPDX-License-Identifier: Apache-2.0
import AudioUnitCore
import CAudioToolbox
@_spi(TrappingConversions) import CheckedNumbers

/// A property that a description can contain, of a unit (global scope) or of one of its buses.
struct DescribedProperty {
  let id: AudioUnitPropertyID
  let form: Form

  /// The form of a value in C and in JSON. In C all values consist of 32-bit words.
  enum Form {
    /// UInt32 as a Boolean: true or false.
    case flag
    /// UInt32: a whole number.
    case count
    /// UInt32: the name of a value, or its number. The names are in order of the numbers; "" is a
    /// value without a name.
    case choice([String])
    /// Float32[], or a structure of Float32: an array of numbers.
    case numbers
    /// Float32[]: an array of rows, each an array of numbers.
    case matrix
    /// SInt32[]: an array of whole numbers.
    case indices
  }

  /// All such properties, in the order in which they are set.
  static let all: [Self] = [
    .init(kAudioOutputUnitProperty_EnableIO, .flag),
    .init(kAudioOutputUnitProperty_ChannelMap, .indices),
    .init(kAudioUnitProperty_BypassEffect, .flag),
    .init(kAudioUnitProperty_RenderQuality, .count),
    .init(kAUNBandEQProperty_NumberOfBands, .count),
    .init(kAudioUnitProperty_UsesInternalReverb, .flag),
    .init(
      kAudioUnitProperty_ReverbRoomType,
      .choice([
        "smallRoom", "mediumRoom", "largeRoom", "mediumHall", "largeHall", "plate",
        "mediumChamber", "largeChamber", "cathedral", "largeRoom2", "mediumHall2", "mediumHall3",
        "largeHall2",
      ])),
    .init(
      kAudioUnitProperty_SpatializationAlgorithm,
      .choice([
        "equalPowerPanning", "sphericalHead", "HRTF", "", "vectorBasedPanning",
        "stereoPassThrough", "HRTFHQ", "useOutputType",
      ])),
    .init(
      kAudioUnitProperty_SpatialMixerOutputType,
      .choice(["", "headphones", "builtInSpeakers", "externalSpeakers"])),
    .init(kAudioUnitProperty_SpatialMixerRenderingFlags, .count),
    .init(
      kAudioUnitProperty_SpatialMixerSourceMode,
      .choice(["spatializeIfMono", "bypass", "pointSource"])),
    .init(kAudioUnitProperty_SpatialMixerDistanceParams, .numbers),
    .init(
      kAudioUnitProperty_SpatialMixerAttenuationCurve,
      .choice(["power", "exponential", "inverse", "linear"])),
    .init(kAudioUnitProperty_MatrixLevels, .matrix),
    .init(kAudioUnitProperty_MeteringMode, .flag),
  ]

  private init(_ id: AudioUnitPropertyID, _ form: Form) {
    self.id = id
    self.form = form
  }

  /// The C name without its prefix: kAudioUnitProperty_MeteringMode is "meteringMode".
  var name: String {
    let name = PropertyNames.name(id).split(separator: "_").last ?? ""
    return name.prefix(1).lowercased() + name.dropFirst()
  }
}

extension DescribedProperty {
  /// The words of a value, row by row; every form except a matrix has one row.
  func rows(_ cursor: JSONCursor) throws(GraphDescriptionError) -> [[UInt32]] {
    switch form {
    case .flag: return [[try cursor.bool() ? 1 : 0]]
    case .count: return [[UInt32(clamping: try cursor.wholeNumber(in: 0...Int(UInt32.max)))]]
    case .choice(let names): return [[try cursor.choice(of: names)]]
    case .numbers: return [try Self.numbers(cursor)]
    case .matrix:
      var rows: [[UInt32]] = []
      for entry in try cursor.entries() {
        let row = try Self.numbers(entry)
        guard row.count == rows.first?.count ?? row.count else {
          throw GraphDescriptionError(
            at: entry.place, "\(row.count) numbers, where the first row has \(rows[0].count)")
        }
        rows.append(row)
      }
      return rows
    case .indices:
      var row: [UInt32] = []
      for entry in try cursor.entries() {
        let range = Int(Int32.min)...Int(Int32.max)
        row.append(UInt32(bitPattern: Int32(clamping: try entry.wholeNumber(in: range))))
      }
      return [row]
    }
  }

  private static func numbers(_ cursor: JSONCursor) throws(GraphDescriptionError) -> [UInt32] {
    let limit = Double(Float.greatestFiniteMagnitude)
    var row: [UInt32] = []
    for entry in try cursor.entries() {
      row.append(Float(try entry.number(in: -limit...limit)).bitPattern)
    }
    return row
  }
}
