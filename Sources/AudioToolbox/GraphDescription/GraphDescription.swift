// SPDX-License-Identifier: Apache-2.0
import PlainText

/// A processing graph as a text describes it: units by name, their settings, and what feeds what.
struct GraphDescription {
  /// Where something stands in the text.
  struct Place {
    var line: Int
    /// The members that lead there: "nodes.eq.unit".
    var path: String

    /// Where a description that was never a text stands.
    static let nowhere = Place(line: 0, path: "")

    /// "line 12, nodes.eq.parameters.cutoff"; nil where there is no text.
    var text: String? { line == 0 ? nil : path.isEmpty ? "line \(line)" : "line \(line), \(path)" }

    /// A member of what stands here.
    func member(_ key: String, line: Int) -> Place {
      let key = Excerpt.name(key)
      return Place(line: line, path: path.isEmpty ? key : "\(path).\(key)")
    }

    /// An entry of the array that stands here.
    func entry(_ index: Int, line: Int) -> Place { Place(line: line, path: "\(path)[\(index)]") }
  }

  /// Something with its place.
  struct Placed<Value> {
    var value: Value
    var place: Place

    init(_ value: Value, at place: Place = .nowhere) {
      self.value = value
      self.place = place
    }
  }

  /// A parameter's value: a number, or the name of one of its values.
  enum Setting: Equatable {
    case number(Double)
    case name(String)
    /// One for each channel of a bus, where a mixer has the parameter for each channel.
    case each([Setting])
  }

  /// The value of a property, in words of 32 bits, row by row.
  struct Property {
    let kind: DescribedProperty
    let rows: [[UInt32]]
  }

  /// A preset: its number, or its name.
  enum Preset: Equatable {
    case number(Int32)
    case name(String)
  }

  /// The parts of a stream format that are said; the others stay as they are.
  struct Format {
    var sampleRate: Double?
    var channels: UInt32?
    var samples: Samples?
    var isInterleaved: Bool?

    /// How a sample is written.
    enum Samples: String, CaseIterable { case float32, int16, int32, fixed824 = "8.24" }
  }

  /// One bus of a unit.
  struct Bus {
    var format: Placed<Format>?
    var parameters: [(name: String, setting: Placed<Setting>)] = []
    /// In the order in which they are set.
    var properties: [Placed<Property>] = []
  }

  /// A unit with its name and its settings.
  struct Node {
    var name: String
    /// Its unit, by codes or by name.
    var unit: Placed<String>
    var maximumFramesPerSlice: Placed<UInt32>?
    var preset: Placed<Preset>?
    /// In the order in which they are set.
    var properties: [Placed<Property>] = []
    var parameters: [(name: String, setting: Placed<Setting>)] = []
    /// Nil when the number of buses is left as it is.
    var inputs: Placed<[Bus]>?
    var outputs: Placed<[Bus]>?
    var place = Place.nowhere
  }

  /// "source:output -> destination:input".
  struct Connection: Equatable {
    var source: String
    var output: UInt32
    var destination: String
    var input: UInt32
  }

  /// In the order in which they are made.
  var nodes: [Node] = []
  var connections: [Placed<Connection>] = []
  /// The options of the graph; nil: as they are in a new one.
  var compensatesLatency: Bool?
  var renderThreads: Placed<UInt32>?
  /// Where the nodes stand.
  var place = Place.nowhere

  /// The shortest number that reads back as this one.
  static func shortest(_ value: Float) -> Double { Double("\(value)") ?? Double(value) }

  /// A number without a needless fraction.
  static func plain(_ number: Double) -> String {
    Int(exactly: number).map(String.init) ?? "\(number)"
  }
}
