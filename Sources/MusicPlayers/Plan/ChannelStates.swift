// SPDX-License-Identifier: Apache-2.0

/// What messages of channels need before them: a program its bank, and a data entry the number of its
/// parameter. It observes events in the order in which they are played. [control thread]
struct ChannelStates {
  private struct Channel {
    /// The positions of the last messages, by controller.
    var bank: [UInt8: Int] = [:]
    var numbers: [UInt8: Int] = [:]
    /// Whether the number that was set last is that of a registered parameter.
    var isRegistered = true

    /// The messages that chose the parameter, the upper part first.
    var selection: [Int] { (isRegistered ? [101, 100] : [99, 98]).compactMap { numbers[$0] } }
  }

  private var channels: [UInt8: Channel] = [:]
  /// The positions of the messages that must come before one.
  private var needed: [Int: [Int]] = [:]

  /// Observes one of the events. For a data entry it returns the number of the parameter.
  mutating func observe(_ position: Int, of events: [PlayEvent]) -> UInt32? {
    let event = events[position]
    let number = event.status & 0x0f
    guard event.kind == .channel else { return nil }
    switch (event.status & 0xf0, event.data1) {
    case (0xb0, 0), (0xb0, 32): channels[number, default: Channel()].bank[event.data1] = position
    case (0xb0, 98...101):
      channels[number, default: Channel()].numbers[event.data1] = position
      channels[number, default: Channel()].isRegistered = event.data1 >= 100
    case (0xb0, 6), (0xb0, 38):
      let channel = channels[number] ?? Channel()
      needed[position] = channel.selection
      let start: UInt32 = channel.isRegistered ? 2 : 1
      return channel.selection.reduce(start) { $0 << 8 | UInt32(events[$1].data2) }
    case (0xc0, _): needed[position] = channels[number]?.bank.values.sorted()
    default: break
    }
    return nil
  }

  /// The events at some positions, with those that they need. At last come the numbers of parameters
  /// that were set last.
  func ordered(_ positions: [Int], of events: [PlayEvent]) -> [PlayEvent] {
    let programs = positions.filter { events[$0].status & 0xf0 == 0xc0 }
    let banks = Set(programs.flatMap { needed[$0] ?? [] })
    var result: [PlayEvent] = []
    var selected: [UInt8: [Int]] = [:]
    var last: [UInt8: [Int]] = [:]
    for position in positions where !banks.contains(position) {
      let event = events[position]
      let channel = event.status & 0x0f
      let isController = event.status & 0xf0 == 0xb0
      if isController, (98...101).contains(event.data1) {
        last[channel, default: []].append(position)
        continue
      }
      let before = needed[position] ?? []
      if !isController || !before.isEmpty && selected[channel] != before {
        result += before.map { events[$0] }
        if isController { selected[channel] = before }
      }
      result.append(event)
    }
    for channel in last.keys.sorted() where selected[channel] != last[channel] {
      result += (last[channel] ?? []).map { events[$0] }
    }
    return result
  }
}
