// SPDX-License-Identifier: Apache-2.0

// Adding, removing and selecting tones.

extension ToneModel {
  /// Selects another tone.
  public func select(_ index: Int) {
    guard tones.indices.contains(index), index != selection else { return }
    selection = index
    pendingLevel = nil
    onChange()
  }

  /// Adds a tone a fifth above the selected one, and selects it; there are at most eight.
  ///
  /// It has the same level, unless the sum would be too loud.
  public func addTone() {
    guard tones.count < ToneMix.capacity else { return }
    var added = tone
    added.sweep = nil
    added.frequency = Self.frequencies.nearest(to: frequency * 1.5)
    add(added)
  }

  /// Removes the selected tone, unless it is the only one.
  public func removeTone() {
    guard tones.count > 1 else { return }
    var rest = tones
    rest.remove(at: selection)
    selection = min(selection, rest.count - 1)
    tones = rest
  }

  /// Whether both sides play the same tone; setting it to false splits the tone into one for each
  /// side.
  public var isLinked: Bool {
    get { tone.side == .both }
    set {
      guard newValue != isLinked else { return }
      if newValue { link() } else { split() }
    }
  }

  private func split() {
    guard tones.count < ToneMix.capacity else { return }
    var right = tone
    right.side = .right
    right.phase = 0
    var parts = tones
    parts[selection].side = .left
    parts.insert(right, at: selection + 1)
    tones = parts
  }

  private func link() {
    var parts = tones
    let other: ToneSide = tone.side == .left ? .right : .left
    parts[selection].side = .both
    // The matching neighbour is the other half of the split.
    let neighbours = [selection + 1, selection - 1]
    if let index = neighbours.first(where: { parts.indices.contains($0) && parts[$0].side == other }
    ) {
      parts.remove(at: index)
      if index < selection { selection -= 1 }
    }
    tones = parts
  }

  private func add(_ tone: Tone) {
    var all = tones
    var added = tone
    let sum = all.map(\.largestAmplitude).reduce(0, +)
    let room = Decibels.ratio(mayBeLoud ? 0 : Self.loudLevel) - sum
    if room < tone.amplitude / 10 {
      // There is no headroom left: the selected tone is turned down to make room for the new one.
      added.level -= 6.1
      all[selection].level = Self.levels.nearest(to: added.level)
    } else {
      added.level = min(tone.level, (Decibels.level(room) * 10).rounded(.down) / 10)
    }
    added.level = Self.levels.nearest(to: added.level)
    selection = all.count
    tones = all + [added]
  }

  /// [control thread] Plays a sound file as the selected tone, in a loop, at the level of the tone.
  ///
  /// - Throws: If the file cannot be played, with the reason; then the tone stays as it is.
  public func play(file path: String) throws(ToneError) {
    var changed = tone
    changed.sound = try ToneSound(path: path)
    changed.waveform = .file
    changed.sweep = nil
    tone = changed
  }

  /// [control thread] Replaces all tones, as a preset does. If they would be too loud together, all
  /// are turned down equally.
  ///
  /// - Throws: If the file of one of them cannot be played, with the reason; then the tones stay.
  public func replaceTones(_ new: [Tone]) throws(ToneError) {
    guard !new.isEmpty else { return }
    var replacements = Array(new.prefix(ToneMix.capacity))
    for index in replacements.indices {
      // The file may have changed since.
      if let sound = replacements[index].sound {
        replacements[index].sound = try ToneSound(path: sound.path)
      }
      let frequency = replacements[index].frequency
      replacements[index].frequency = Self.frequencies.nearest(to: frequency)
      replacements[index].turnDown(by: 0)
    }
    let excess = Decibels.level(replacements.map(\.largestAmplitude).reduce(0, +)) - Self.loudLevel
    if excess > 1e-9 {
      for index in replacements.indices {
        replacements[index].turnDown(by: excess)
      }
    }
    selection = 0
    pendingLevel = nil
    tones = replacements
  }
}

extension Tone {
  /// Lowers its levels by a number of decibels, within their range.
  fileprivate mutating func turnDown(by decibels: Double) {
    level = ToneModel.levels.nearest(to: level - decibels)
    let end = sweep?.endLevel
    sweep?.endLevel = end.map { ToneModel.levels.nearest(to: $0 - decibels) }
  }
}
