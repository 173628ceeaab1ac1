// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Plays the selected tone of a model by keys, as MIDI messages describe them. [the thread of the
/// views]
///
/// The last of the keys that are held sounds: its note is the frequency, its velocity the level
/// below that of the model. When none is held, the tone fades out, and the device stays open.
public final class ToneKeys {
  /// The most semitones by which the pitch bends.
  public static let bendRange = 2.0

  private struct Held {
    let key: UInt8
    let velocity: UInt8
  }

  private let model: ToneModel
  private var held: [Held] = []
  /// In semitones.
  private var bend = 0.0
  /// The level of the greatest velocity, in dBFS.
  private var fullLevel: Double
  /// The level that was set last. If the model has another one, the user has changed it.
  private var setLevel: Double

  /// Keys that play a model.
  public init(_ model: ToneModel) {
    self.model = model
    (fullLevel, setLevel) = (model.level, model.level)
  }

  /// Obeys a message of MIDI 1.0 on any channel: notes, pitch bend, and the controllers that end all
  /// notes. Others, and data above 127, do nothing.
  ///
  /// - Throws: The step that failed, if a note cannot play.
  public func receive(_ status: UInt8, _ first: UInt8, _ second: UInt8) throws(ToneError) {
    guard first < 128, second < 128 else { return }
    switch status & 0xf0 {
    case 0x90 where second > 0: try press(first, velocity: second)
    case 0x80, 0x90: release(first)
    case 0xb0 where first == 120 || first == 123: releaseAll()
    case 0xe0: bend(by: (Int(second) << 7 | Int(first)) - 8_192)
    default: break
    }
  }

  /// Whether any key is held.
  public var areHeld: Bool { !held.isEmpty }

  /// Ends all notes.
  public func releaseAll() {
    guard !held.isEmpty else { return }
    held = []
    model.isMuted = true
  }

  private func press(_ key: UInt8, velocity: UInt8) throws(ToneError) {
    held.removeAll { $0.key == key }
    held.append(Held(key: key, velocity: velocity))
    sound()
    model.isMuted = false
    try model.play()
  }

  private func release(_ key: UInt8) {
    guard let place = held.firstIndex(where: { $0.key == key }) else { return }
    let wasSounding = place == held.count - 1
    held.remove(at: place)
    guard !held.isEmpty else { return model.isMuted = true }
    if wasSounding { sound() }
  }

  private func bend(by offset: Int) {
    // The two halves of the range are not equally long.
    bend = Double(offset) / (offset < 0 ? 8_192 : 8_191) * Self.bendRange
    if !held.isEmpty { setFrequency() }
  }

  /// Sets frequency and level of the last key.
  private func sound() {
    guard let last = held.last else { return }
    if model.level != setLevel { fullLevel = model.level }
    setFrequency()
    model.level = fullLevel + Decibels.level(Double(last.velocity) / 127)
    setLevel = model.level
  }

  private func setFrequency() {
    guard let last = held.last else { return }
    model.frequency = model.a4 * exp2((Double(last.key) - 69 + bend) / 12)
  }
}
