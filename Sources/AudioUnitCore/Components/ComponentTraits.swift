// SPDX-License-Identifier: Apache-2.0
/// What a component says about itself beside its codes, without an instance.
public struct ComponentTraits: Sendable, Equatable {
  /// Words for what it does, such as "Reverb".
  public var tags: [String]
  /// Whether it receives MIDI; nil: as its type says.
  public var hasMIDIInput: Bool?
  /// Whether it sends MIDI; nil: as its type says.
  public var hasMIDIOutput: Bool?

  /// The traits of a component about which nothing is known.
  public init(tags: [String] = [], hasMIDIInput: Bool? = nil, hasMIDIOutput: Bool? = nil) {
    self.tags = tags
    self.hasMIDIInput = hasMIDIInput
    self.hasMIDIOutput = hasMIDIOutput
  }
}
