// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioUnitCore
public import CoreAudio
import ProcessingGraph

// The functions of AUGraphOptions.h.

@c @implementation
public func AUGraphSetLatencyCompensation(_ inGraph: AUGraph, _ inCompensates: Bool) -> OSStatus {
  status(graph: inGraph) { graph throws(AudioError) in
    try graph.setCompensatesLatency(inCompensates)
  }
}

@c @implementation
public func AUGraphGetLatencyCompensation(
  _ inGraph: AUGraph, _ outCompensates: UnsafeMutablePointer<Bool>
) -> OSStatus {
  storeResult(inGraph, outCompensates, "outCompensates") { graph throws(AudioError) in
    try graph.doesCompensateLatency()
  }
}

@c @implementation
public func AUGraphGetLatency(_ inGraph: AUGraph, _ outSeconds: UnsafeMutablePointer<Float64>)
  -> OSStatus
{
  storeResult(inGraph, outSeconds, "outSeconds") { graph throws(AudioError) in try graph.latency() }
}

@c @implementation
public func AUGraphSetRenderThreads(_ inGraph: AUGraph, _ inThreads: UInt32) -> OSStatus {
  status(graph: inGraph) { graph throws(AudioError) in try graph.setThreadCount(Int(inThreads)) }
}

@c @implementation
public func AUGraphGetRenderThreads(
  _ inGraph: AUGraph, _ outThreads: UnsafeMutablePointer<UInt32>
) -> OSStatus {
  storeResult(inGraph, outThreads, "outThreads") { graph throws(AudioError) in
    UInt32(try graph.requestedThreadCount())
  }
}
