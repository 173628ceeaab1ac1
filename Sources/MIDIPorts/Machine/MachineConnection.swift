// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CCoreMIDI
import CRealTime

/// A connection to a back end, with the links of the setup's endpoints. Accessed by the machine
/// thread.
final class MachineConnection {
  let kind: MIDIBackendKind
  let signals: MachineSignals
  private let backend: any MIDIBackend
  /// The number of the receiver by which virtual sources send to the machine.
  private let ref: MIDIObjectRef
  /// Called when there is something to send.
  private let sent: @Sendable (_ isFirst: Bool) -> Void
  private var links: [MIDIObjectRef: MachineLink] = [:]

  /// Servers report changes a cycle before they can be seen, so the ports are looked at again after
  /// these nanoseconds.
  private static let lookDelay: UInt64 = 250_000_000
  private var nextLook: UInt64?
  /// Nanoseconds after which a link that could not be opened is tried again.
  private static let openDelay: UInt64 = 1_000_000_000
  /// The endpoints whose links could not be opened.
  private var failed: Set<MIDIObjectRef> = []

  /// Whether all that was to be sent has left.
  var isIdle: Bool { haveWrittenAll && backend.isIdle }
  private var haveWrittenAll = true

  /// Nanoseconds after which what found no room is written again.
  private static let writeDelay: UInt64 = 1_000_000

  init(
    _ kind: MIDIBackendKind, _ backend: any MIDIBackend, _ signals: MachineSignals,
    ref: MIDIObjectRef, sent: @escaping @Sendable (_ isFirst: Bool) -> Void
  ) {
    (self.kind, self.backend, self.signals) = (kind, backend, signals)
    (self.ref, self.sent) = (ref, sent)
  }

  /// Does what there is to do; returns the nanoseconds until the next call, nil if none is needed
  /// before something happens.
  func run(in setup: any MachineOwner, isAsked: Bool) -> UInt64? {
    var haveChanged = signals.takeChange()
    var delay = backend.poll()
    let now = rt_host_time()
    if haveChanged {
      nextLook = now + Self.lookDelay
    } else if let time = nextLook, time <= now {
      haveChanged = true
      nextLook = nil
    }
    if haveChanged { setup.update(backend.ports(), of: kind.name, sent: sent) }
    if haveChanged || isAsked {
      updateLinks(in: setup)
      if !failed.isEmpty { nextLook = nextLook ?? now + Self.openDelay }
    }
    if let nextLook { delay = min(delay ?? .max, nextLook - now) }
    haveWrittenAll = true
    for link in links.values where !link.receives && !link.write(to: backend) {
      haveWrittenAll = false
      delay = min(delay ?? Self.writeDelay, Self.writeDelay)
    }
    return delay
  }

  /// Opens and closes links, so that they are those that the setup needs.
  private func updateLinks(in setup: any MachineOwner) {
    let wanted = setup.wantedLinks(of: kind.name)
    failed.formIntersection(wanted.keys)
    for (endpoint, link) in links where wanted[endpoint]?.matches(link) != true {
      end(link, of: endpoint, in: setup)
    }
    for (endpoint, want) in wanted.sorted(by: { $0.key < $1.key }) where links[endpoint] == nil {
      let link = want.link ?? setup.link(for: want, sent: sent)
      do throws(AudioError) {
        try backend.open(link)
        links[endpoint] = link
        failed.remove(endpoint)
        if want.isPublishedSource { setup.publish(want, by: link, as: ref) }
      } catch {
        // Messages that would come a second late are worse than none.
        link.drop()
        guard failed.insert(endpoint).inserted else { continue }
        Explanations.log("MIDI of \(kind.name), endpoint \(endpoint): \(error.text)")
      }
    }
  }

  private func end(_ link: MachineLink, of endpoint: MIDIObjectRef, in setup: (any MachineOwner)?) {
    links[endpoint] = nil
    setup?.withdraw(endpoint, ref)
    if !link.receives, !signals.hasEnded { _ = link.write(to: backend) }
    backend.close(link)
  }

  /// Ends all links, and the connection. The ports of the machine are gone.
  func close(in setup: (any MachineOwner)?) {
    for (endpoint, link) in links { end(link, of: endpoint, in: setup) }
    setup?.update([], of: kind.name, sent: sent)
    backend.close()
  }
}
