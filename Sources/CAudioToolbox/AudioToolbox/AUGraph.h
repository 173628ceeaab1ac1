// SPDX-License-Identifier: Apache-2.0

#ifndef CAUDIOTOOLBOX_AU_GRAPH_H
#define CAUDIOTOOLBOX_AU_GRAPH_H

#include "AUComponent.h"
#include "AudioComponent.h"
#include "AudioUnitProperties.h"

// Graphs of units: nodes, the connections between them, and edits that take effect together while
// the graph plays.

CF_ASSUME_NONNULL_BEGIN

#ifdef __cplusplus
extern "C" {
#endif

// MARK: Types

/// A processing graph: units and the sources of their inputs. Its edits take effect together, also
/// while it plays.
///
/// Every function may be called on any thread. On a render thread, none waits: while another thread
/// changes the graph, it returns kAUGraphErr_CannotDoInCurrentContext.
typedef struct OpaqueAUGraph *AUGraph;

/// The number of a node, counted from 1; numbers are not reused.
typedef SInt32 AUNode;

CF_ENUM(OSStatus) {
  /// The graph does not have this node or index.
  kAUGraphErr_NodeNotFound = -10860,
  /// An input or output is in use or does not exist, a node would feed itself, or there is no
  /// connection.
  kAUGraphErr_InvalidConnection = -10861,
  /// A second output node, a missing output node, or its removal while the graph runs.
  kAUGraphErr_OutputNodeErr = -10862,
  /// A render thread would have to wait; call again in its next cycle.
  kAUGraphErr_CannotDoInCurrentContext = -10863,
  /// The graph is not open: the unit does not exist.
  kAUGraphErr_InvalidAudioUnit = -10864
};

/// Kinds of AUNodeInteraction.
CF_ENUM(UInt32) {
  kAUNodeInteraction_Connection = 1,    ///< A connection from another node.
  kAUNodeInteraction_InputCallback = 2  ///< A callback of the host.
};

/// A connection from an output of one node to an input of another.
typedef struct AUNodeConnection {
  AUNode sourceNode;          ///< The node that supplies the sound.
  UInt32 sourceOutputNumber;  ///< Its output bus.
  AUNode destNode;            ///< The node that gets the sound.
  UInt32 destInputNumber;     ///< Its input bus.
} AUNodeConnection;
/// The older name of AUNodeConnection.
typedef AUNodeConnection AudioUnitNodeConnection;

/// A callback of the host that feeds an input of a node.
typedef struct AUNodeRenderCallback {
  AUNode destNode;                   ///< The node that gets the sound.
  AudioUnitElement destInputNumber;  ///< Its input bus.
  AURenderCallbackStruct cback;      ///< The function that supplies the sound.
} AUNodeRenderCallback;

/// The source of one input.
typedef struct AUNodeInteraction {
  UInt32 nodeInteractionType;  ///< kAUNodeInteraction_Connection or -InputCallback.
  /// The source, by its type.
  union {
    /// If the type is a connection.
    AUNodeConnection connection;
    /// If the type is a callback.
    AUNodeRenderCallback inputCallback;
  } nodeInteraction;
} AUNodeInteraction;

// MARK: Life

/// Creates an empty graph.
OSStatus NewAUGraph(AUGraph _Nullable *_Nonnull outGraph);

/// Disposes of a graph with its nodes, units and sub-graphs; a running graph is stopped first.
OSStatus DisposeAUGraph(AUGraph inGraph);

/// Creates the units of all nodes, without initializing them.
OSStatus AUGraphOpen(AUGraph inGraph);

/// Disposes of the units; nodes and interactions stay, and the graph can be opened again.
OSStatus AUGraphClose(AUGraph inGraph);

/// Checks the graph, sets each connected input to the format of its source, and initializes the
/// units that take part, sources first. The graph needs an output node.
OSStatus AUGraphInitialize(AUGraph inGraph);

/// Uninitializes the units; a running graph is stopped first.
OSStatus AUGraphUninitialize(AUGraph inGraph);

/// Starts the unit of the output node; a running graph continues.
OSStatus AUGraphStart(AUGraph inGraph);

/// Stops the unit of the output node; on return, none of the graph's callbacks runs any more.
OSStatus AUGraphStop(AUGraph inGraph);

/// Whether the units exist.
OSStatus AUGraphIsOpen(AUGraph inGraph, Boolean *outIsOpen);

/// Whether the units that take part are initialized.
OSStatus AUGraphIsInitialized(AUGraph inGraph, Boolean *outIsInitialized);

/// Whether the unit of the output node plays.
OSStatus AUGraphIsRunning(AUGraph inGraph, Boolean *outIsRunning);

// MARK: Nodes

/// Adds a node. The description names type, subtype and manufacturer; one node may be an output. In
/// an open graph, the unit is created immediately. In an initialized graph, the AUGraphUpdate that
/// connects the unit initializes it.
OSStatus AUGraphAddNode(AUGraph inGraph, const AudioComponentDescription *inDescription,
                        AUNode *outNode);

/// Removes a node with its connections and callbacks. The output node cannot be removed while the
/// graph runs. In an initialized graph, the unit is disposed of after AUGraphUpdate.
OSStatus AUGraphRemoveNode(AUGraph inGraph, AUNode inNode);

/// The number of nodes.
OSStatus AUGraphGetNodeCount(AUGraph inGraph, UInt32 *outNumberOfNodes);

/// A node by its index, in the order in which nodes were added.
OSStatus AUGraphGetIndNode(AUGraph inGraph, UInt32 inIndex, AUNode *outNode);

/// The description and unit of a node; the unit is null before the graph is open.
OSStatus AUGraphNodeInfo(AUGraph inGraph, AUNode inNode,
                         AudioComponentDescription *_Nullable outDescription,
                         AudioUnit _Nullable *_Nullable outAudioUnit);

/// Adds a node that is a sub-graph, which belongs to this graph and follows its states. Its output
/// is that of its own output node. Its inputs are the inputs of its units that have no source in
/// it, in the order of nodes and buses.
OSStatus AUGraphNewNodeSubGraph(AUGraph inGraph, AUNode *outNode);

/// The sub-graph of a node.
OSStatus AUGraphGetNodeInfoSubGraph(AUGraph inGraph, AUNode inNode,
                                    AUGraph _Nullable *_Nonnull outSubGraph);

/// Whether a node is a sub-graph.
OSStatus AUGraphIsNodeSubGraph(AUGraph inGraph, AUNode inNode, Boolean *outFlag);

// MARK: Interactions

/// Connects an output of one node to an input of another. Each input has one source and each output
/// one destination. Element 1 of an I/O node may feed its own element 0.
OSStatus AUGraphConnectNodeInput(AUGraph inGraph, AUNode inSourceNode,
                                 UInt32 inSourceOutputNumber, AUNode inDestNode,
                                 UInt32 inDestInputNumber);

/// Feeds an input from a callback, replacing its source. A null callback disconnects.
OSStatus AUGraphSetNodeInputCallback(AUGraph inGraph, AUNode inDestNode, UInt32 inDestInputNumber,
                                     const AURenderCallbackStruct *inInputCallback);

/// Disconnects an input.
OSStatus AUGraphDisconnectNodeInput(AUGraph inGraph, AUNode inDestNode, UInt32 inDestInputNumber);

/// Removes all connections and callbacks.
OSStatus AUGraphClearConnections(AUGraph inGraph);

/// The number of interactions: inputs with a source.
OSStatus AUGraphGetNumberOfInteractions(AUGraph inGraph, UInt32 *outNumInteractions);

/// An interaction by its index.
OSStatus AUGraphGetInteractionInfo(AUGraph inGraph, UInt32 inInteractionIndex,
                                   AUNodeInteraction *outInteraction);

/// The number of a node's interactions, as source and as destination.
OSStatus AUGraphCountNodeInteractions(AUGraph inGraph, AUNode inNode, UInt32 *outNumInteractions);

/// The interactions of a node; `*ioNumInteractions` is the capacity, and on return the number
/// written.
OSStatus AUGraphGetNodeInteractions(AUGraph inGraph, AUNode inNode, UInt32 *ioNumInteractions,
                                    AUNodeInteraction *outInteractions);

/// Applies the edits of an initialized graph, all of them at the same slice. Before the graph is
/// initialized, edits need no update.
///
/// With a null flag it returns when the edits are in effect, even if the device hangs. Otherwise it
/// returns immediately, and the flag is true if no edits are pending. If any edit is impossible,
/// all are refused: the old graph continues to play, and the interactions are restored.
OSStatus AUGraphUpdate(AUGraph inGraph, Boolean *_Nullable outIsUpdated);

// MARK: Rendering

/// The CPU load of the graph, averaged over a tenth of a second: 1 is all of the available time,
/// more means that the graph is too slow.
OSStatus AUGraphGetCPULoad(AUGraph inGraph, Float32 *outAverageCPULoad);

/// The largest CPU load of a single render since the last call, or since the start.
OSStatus AUGraphGetMaxCPULoad(AUGraph inGraph, Float32 *outMaxLoad);

/// Adds a function that is called before and after each render of the output node.
OSStatus AUGraphAddRenderNotify(AUGraph inGraph, AURenderCallback inCallback,
                                void *_Nullable inRefCon);

/// Removes the function that was added with the same context.
OSStatus AUGraphRemoveRenderNotify(AUGraph inGraph, AURenderCallback inCallback,
                                   void *_Nullable inRefCon);

// MARK: Deprecated

/// Like AUGraphAddNode; class data is not supported: its size must be 0.
OSStatus AUGraphNewNode(AUGraph inGraph, const AudioComponentDescription *inDescription,
                        UInt32 inClassDataSize, const void *_Nullable inClassData,
                        AUNode *outNode);

/// Like AUGraphNodeInfo; the class data is always empty.
OSStatus AUGraphGetNodeInfo(AUGraph inGraph, AUNode inNode,
                            AudioComponentDescription *_Nullable outDescription,
                            UInt32 *_Nullable outClassDataSize,
                            void *_Nullable *_Nullable outClassData,
                            AudioUnit _Nullable *_Nullable outAudioUnit);

/// The number of connections, without callbacks.
OSStatus AUGraphGetNumberOfConnections(AUGraph inGraph, UInt32 *outNumConnections);

/// A connection by its index among the connections.
OSStatus AUGraphGetConnectionInfo(AUGraph inGraph, UInt32 inConnectionIndex, AUNode *outSourceNode,
                                  UInt32 *outSourceOutputNumber, AUNode *outDestNode,
                                  UInt32 *outDestInputNumber);

/// The number of a node's connections, as source and as destination.
OSStatus AUGraphCountNodeConnections(AUGraph inGraph, AUNode inNode, UInt32 *outNumConnections);

/// The connections of a node; the count is the capacity, and on return the number written.
OSStatus AUGraphGetNodeConnections(AUGraph inGraph, AUNode inNode,
                                   AudioUnitNodeConnection *outConnections,
                                   UInt32 *ioNumConnections);

#ifdef __cplusplus
}
#endif

CF_ASSUME_NONNULL_END

#endif
