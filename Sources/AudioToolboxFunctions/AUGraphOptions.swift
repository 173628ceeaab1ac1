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

@c @implementation
public func AUGraphSetEditFades(_ inGraph: AUGraph, _ inFades: AUGraphEditFades) -> OSStatus {
  status(graph: inGraph) { graph throws(AudioError) in
    guard let fades = EditFades(rawValue: inFades.rawValue) else {
      throw .invalidArgument.because(
        "\(inFades.rawValue) is not one of kAUGraphEditFades_Never (0), OnDevices (1) and Always (2)"
      )
    }
    try graph.setEditFades(fades)
  }
}

@c @implementation
public func AUGraphGetEditFades(
  _ inGraph: AUGraph, _ outFades: UnsafeMutablePointer<AUGraphEditFades>
) -> OSStatus {
  storeResult(inGraph, outFades, "outFades") { graph throws(AudioError) in
    AUGraphEditFades(rawValue: try graph.editFades().rawValue) ?? .onDevices
  }
}
