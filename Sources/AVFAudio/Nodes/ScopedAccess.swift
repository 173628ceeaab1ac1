// SPDX-License-Identifier: Apache-2.0
public import AudioToolbox

// What a node or an engine has, for the time of a closure: it exists until the closure returns, also if
// the program forgets the node meanwhile.

extension AVAudioNode {
  /// Passes the node's unit as an object to a closure, as `auAudioUnit` has it. [any thread]
  public func withAUAudioUnit<Result, Failure: Error>(
    _ body: (borrowing AUAudioUnit) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    defer { withExtendedLifetime(self) {} }
    return try body(auAudioUnit)
  }
}

extension AVAudioUnit {
  /// Passes the unit to a closure, for the functions of AUComponent.h. [any thread]
  public func withAudioUnit<Result, Failure: Error>(
    _ body: (borrowing AudioUnit) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    defer { withExtendedLifetime(self) {} }
    return try body(audioUnit)
  }
}

extension AVAudioIONode {
  /// Passes the unit of the engine to a closure: the one that reaches the device, or takes its place in
  /// manual rendering; nil without an engine. [any thread]
  public func withAudioUnit<Result, Failure: Error>(
    _ body: (borrowing AudioUnit?) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    // The engine changes its unit with the mode.
    let head = engine?.core.queries.head
    defer { withExtendedLifetime(head) {} }
    return try body(audioUnit)
  }
}

extension AVAudioEngine {
  /// Passes the sequence of the engine to a closure, as `musicSequence` has it. [control thread]
  public func withMusicSequence<Result, Failure: Error>(
    _ body: (borrowing MusicSequence?) throws(Failure) -> Result
  ) throws(Failure) -> Result { try body(musicSequence) }
}
