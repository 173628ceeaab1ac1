// SPDX-License-Identifier: Apache-2.0

#ifndef CAUDIOTOOLBOX_AU_GRAPH_H
#define CAUDIOTOOLBOX_AU_GRAPH_H

#include "AUComponent.h"
#include "AudioComponent.h"
#include "AudioUnitProperties.h"

CF_ASSUME_NONNULL_BEGIN

#ifdef __cplusplus
extern "C" {
#endif

// MARK: Types

/// A processing graph: units, and what feeds their inputs, changed as a whole while they sound.
///
/// Every function may be called on any thread. On a render thread none waits: where another thread
/// changes the graph at that moment it returns kAUGraphErr_CannotDoInCurrentContext.
typedef struct OpaqueAUGraph *AUGraph;

/// A unit's place in a graph; numbers count from 1 and are not given out twice.
typedef SInt32 AUNode;

CF_ENUM(OSStatus) {
  /// The graph has no such node, or no such index.
  kAUGraphErr_NodeNotFound = -10860,
  /// An input or output is taken or not there, a node would feed itself, nothing is connected.
  kAUGraphErr_InvalidConnection = -10861,
  /// A second output node, none where one is needed, or its removal while the graph runs.
  kAUGraphErr_OutputNodeErr = -10862,
  /// A render thread would have to wait; call again in its next cycle.
  kAUGraphErr_CannotDoInCurrentContext = -10863,
  /// The graph is not open: the unit does not exist.
  kAUGraphErr_InvalidAudioUnit = -10864
};

/// Kinds of AUNodeInteraction.
CF_ENUM(UInt32) {
  kAUNodeInteraction_Connection = 1,
  kAUNodeInteraction_InputCallback = 2
};

/// From an output of one node to an input of another.
typedef struct AUNodeConnection {
  AUNode sourceNode;
  UInt32 sourceOutputNumber;
  AUNode destNode;
  UInt32 destInputNumber;
} AUNodeConnection;
typedef AUNodeConnection AudioUnitNodeConnection;

/// From a function of the host to an input of a node.
typedef struct AUNodeRenderCallback {
  AUNode destNode;
  AudioUnitElement destInputNumber;
  AURenderCallbackStruct cback;
} AUNodeRenderCallback;

/// The source of one input.
typedef struct AUNodeInteraction {
  UInt32 nodeInteractionType;
  union {
    AUNodeConnection connection;
    AUNodeRenderCallback inputCallback;
  } nodeInteraction;
} AUNodeInteraction;

// MARK: Life

/// Makes an empty graph.
OSStatus NewAUGraph(AUGraph _Nullable *_Nonnull outGraph);

/// Ends a graph with its nodes, units and sub-graphs; one that runs is stopped first.
OSStatus DisposeAUGraph(AUGraph inGraph);

/// Makes the units of all nodes, without initialising them.
OSStatus AUGraphOpen(AUGraph inGraph);

/// Ends the units; nodes and interactions stay, and the graph may be opened again.
OSStatus AUGraphClose(AUGraph inGraph);

/// Checks the graph as a whole, gives each connected input the format of its source and initialises
/// the units that take part, sources first. The graph needs an output node.
OSStatus AUGraphInitialize(AUGraph inGraph);

/// Uninitialises the units; a graph that runs is stopped first.
OSStatus AUGraphUninitialize(AUGraph inGraph);

/// Starts the unit of the output node; a graph that runs goes on.
OSStatus AUGraphStart(AUGraph inGraph);

/// Stops the unit of the output node; on return none of the graph's callbacks runs any more.
OSStatus AUGraphStop(AUGraph inGraph);

/// Whether the units exist.
OSStatus AUGraphIsOpen(AUGraph inGraph, Boolean *outIsOpen);

/// Whether the units that take part are initialised.
OSStatus AUGraphIsInitialized(AUGraph inGraph, Boolean *outIsInitialized);

/// Whether the unit of the output node plays.
OSStatus AUGraphIsRunning(AUGraph inGraph, Boolean *outIsRunning);

// MARK: Nodes

/// Adds a node. The description names type, subtype and manufacturer; one node may be an output. In an
/// open graph the unit is made at once, in an initialised one it is initialised by the AUGraphUpdate
/// that connects it.
OSStatus AUGraphAddNode(AUGraph inGraph, const AudioComponentDescription *inDescription,
                        AUNode *outNode);

/// Removes a node and its connections and callbacks. The output node stays while the graph runs. In
/// an initialised graph the unit ends after AUGraphUpdate.
OSStatus AUGraphRemoveNode(AUGraph inGraph, AUNode inNode);

/// How many nodes there are.
OSStatus AUGraphGetNodeCount(AUGraph inGraph, UInt32 *outNumberOfNodes);

/// A node by its place, in the order in which they were added.
OSStatus AUGraphGetIndNode(AUGraph inGraph, UInt32 inIndex, AUNode *outNode);

/// Description and unit of a node; the unit is null before the graph is open.
OSStatus AUGraphNodeInfo(AUGraph inGraph, AUNode inNode,
                         AudioComponentDescription *_Nullable outDescription,
                         AudioUnit _Nullable *_Nullable outAudioUnit);

/// Adds a node that is a graph, which belongs to this one and has its states. Its output is that of
/// its own output node; its inputs are those of its units that nothing in it feeds, counted by node
/// and bus.
OSStatus AUGraphNewNodeSubGraph(AUGraph inGraph, AUNode *outNode);

/// The graph that a node is.
OSStatus AUGraphGetNodeInfoSubGraph(AUGraph inGraph, AUNode inNode,
                                    AUGraph _Nullable *_Nonnull outSubGraph);

/// Whether a node is a graph.
OSStatus AUGraphIsNodeSubGraph(AUGraph inGraph, AUNode inNode, Boolean *outFlag);

// MARK: Interactions

/// Feeds an input of one node from an output of another. Each input has one source and each output
/// one destination. Element 1 of an I/O node may feed its own element 0.
OSStatus AUGraphConnectNodeInput(AUGraph inGraph, AUNode inSourceNode,
                                 UInt32 inSourceOutputNumber, AUNode inDestNode,
                                 UInt32 inDestInputNumber);

/// Feeds an input from a function, in the place of whatever feeds it. A null function disconnects.
OSStatus AUGraphSetNodeInputCallback(AUGraph inGraph, AUNode inDestNode, UInt32 inDestInputNumber,
                                     const AURenderCallbackStruct *inInputCallback);

/// Disconnects an input.
OSStatus AUGraphDisconnectNodeInput(AUGraph inGraph, AUNode inDestNode, UInt32 inDestInputNumber);

/// Takes away every connection and callback.
OSStatus AUGraphClearConnections(AUGraph inGraph);

/// How many inputs are fed.
OSStatus AUGraphGetNumberOfInteractions(AUGraph inGraph, UInt32 *outNumInteractions);

/// An interaction by its place.
OSStatus AUGraphGetInteractionInfo(AUGraph inGraph, UInt32 inInteractionIndex,
                                   AUNodeInteraction *outInteraction);

/// How many interactions a node takes part in, as source and as destination.
OSStatus AUGraphCountNodeInteractions(AUGraph inGraph, AUNode inNode, UInt32 *outNumInteractions);

/// The interactions of a node: `*ioNumInteractions` is how many there is room for, then how many were
/// written.
OSStatus AUGraphGetNodeInteractions(AUGraph inGraph, AUNode inNode, UInt32 *ioNumInteractions,
                                    AUNodeInteraction *outInteractions);

/// Brings the edits of an initialised graph into effect, all of them from one slice on. Before the graph
/// is initialised edits need no update.
///
/// With a null flag it returns when they are in effect, even where the device hangs. Else it returns at
/// once, and the flag says whether nothing is pending. If any edit is impossible, all are refused:
/// the old graph plays on, and the interactions revert to what they were.
OSStatus AUGraphUpdate(AUGraph inGraph, Boolean *_Nullable outIsUpdated);

// MARK: Rendering

/// The share of real time that the graph takes, averaged over a tenth of a second; 0…1, above when it
/// is too slow.
OSStatus AUGraphGetCPULoad(AUGraph inGraph, Float32 *outAverageCPULoad);

/// The largest share of a single render since the last call, or since the start.
OSStatus AUGraphGetMaxCPULoad(AUGraph inGraph, Float32 *outMaxLoad);

/// Calls a function before and after each render of the output node.
OSStatus AUGraphAddRenderNotify(AUGraph inGraph, AURenderCallback inCallback,
                                void *_Nullable inRefCon);

/// Does not call it any more; takes the same function and the same context.
OSStatus AUGraphRemoveRenderNotify(AUGraph inGraph, AURenderCallback inCallback,
                                   void *_Nullable inRefCon);

// MARK: Names of old

/// AUGraphAddNode; there is no class data, the size must be 0.
OSStatus AUGraphNewNode(AUGraph inGraph, const AudioComponentDescription *inDescription,
                        UInt32 inClassDataSize, const void *_Nullable inClassData,
                        AUNode *outNode);

/// AUGraphNodeInfo; the class data is always empty.
OSStatus AUGraphGetNodeInfo(AUGraph inGraph, AUNode inNode,
                            AudioComponentDescription *_Nullable outDescription,
                            UInt32 *_Nullable outClassDataSize,
                            void *_Nullable *_Nullable outClassData,
                            AudioUnit _Nullable *_Nullable outAudioUnit);

/// How many connections there are; callbacks do not count.
OSStatus AUGraphGetNumberOfConnections(AUGraph inGraph, UInt32 *outNumConnections);

/// A connection by its place among the connections.
OSStatus AUGraphGetConnectionInfo(AUGraph inGraph, UInt32 inConnectionIndex, AUNode *outSourceNode,
                                  UInt32 *outSourceOutputNumber, AUNode *outDestNode,
                                  UInt32 *outDestInputNumber);

/// How many connections a node has, on both sides.
OSStatus AUGraphCountNodeConnections(AUGraph inGraph, AUNode inNode, UInt32 *outNumConnections);

/// The connections of a node; the count is capacity in, actual out.
OSStatus AUGraphGetNodeConnections(AUGraph inGraph, AUNode inNode,
                                   AudioUnitNodeConnection *outConnections,
                                   UInt32 *ioNumConnections);

#ifdef __cplusplus
}
#endif

CF_ASSUME_NONNULL_END

#endif
