// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioUnitCore
public import CoreAudio
import ProcessingGraph
import UnitChains

// The functions of AUChain.h.

/// Runs `body` on the chain behind a handle; converts an error to a status, and records its
/// explanation.
private func status(
  chain handle: AUChain, in call: StaticString = #function,
  _ body: (UnitChain) throws(AudioError) -> Void
) -> OSStatus {
  status(in: call) { () throws(AudioError) in
    guard let chain = UnitChain.handles.enter(handle) else { throw .stale("chain") }
    defer { UnitChain.handles.leave(handle) }
    try body(chain.takeUnretainedValue())
  }
}

@c @implementation
public func AUChainNew(
  _ inUnits: UnsafePointer<AudioUnit>, _ inUnitCount: UInt32,
  _ outChain: UnsafeMutablePointer<AUChain?>
) -> OSStatus {
  status { () throws(AudioError) in
    guard !isNull(outChain) else { throw .null("outChain") }
    outChain.pointee = nil
    guard inUnitCount == 0 || !isNull(inUnits) else { throw .null("inUnits") }
    let units = inUnitCount == 0 ? [] : (0..<Int(inUnitCount)).map { inUnits[$0] }
    outChain.pointee = try UnitChain.handles.insert(try UnitChain(units))
  }
}

@c @implementation
public func AUChainNewFromGraph(
  _ inGraph: AUGraph, _ outChain: UnsafeMutablePointer<AUChain?>
) -> OSStatus {
  status { () throws(AudioError) in
    guard !isNull(outChain) else { throw .null("outChain") }
    outChain.pointee = nil
    let (nodes, head) = try ChainNodes.read(inGraph)
    outChain.pointee = try UnitChain.handles.insert(
      try UnitChain(nodes, head: head, isConnected: true))
  }
}

@c @implementation
public func AUChainDispose(_ inChain: AUChain) -> OSStatus {
  status { () throws(AudioError) in try UnitChain.handles.dispose(inChain, kind: "chain") }
}

@c @implementation
public func AUChainPrepare(
  _ inChain: AUChain, _ inSampleRate: Float64, _ inInputChannels: UInt32,
  _ inOutputChannels: UInt32, _ outLatency: UnsafeMutablePointer<UInt64>?,
  _ outTail: UnsafeMutablePointer<UInt64>?
) -> OSStatus {
  status(chain: inChain) { chain throws(AudioError) in
    try chain.prepareAlone(
      rate: inSampleRate, inputChannels: inInputChannels, outputChannels: inOutputChannels)
    outLatency?.pointee = UInt64(chain.latency.magnitude)
    outTail?.pointee = UInt64(chain.tail.magnitude)
  }
}

@c @implementation
public func AUChainRender(_ inChain: AUChain, _ inCall: UnsafePointer<AUChainCall>) -> OSStatus {
  status(chain: inChain) { chain throws(AudioError) in
    guard !isNull(inCall) else { throw .null("inCall") }
    try chain.render(inCall.pointee)
  }
}
