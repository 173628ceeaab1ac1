// SPDX-License-Identifier: Apache-2.0
import CAdwaita

/// A pointer to any GLib object.
typealias Object = UnsafeMutableRawPointer

/// The closure of a signal handler; it lives as long as the connection.
private final class Handler<Action> {
  let action: Action

  init(_ action: Action) { self.action = action }

  static func of(_ data: gpointer?) -> Action? {
    data.map { Unmanaged<Handler<Action>>.fromOpaque($0).takeUnretainedValue().action }
  }
}

private func connect<Action>(
  _ object: Object, _ signal: String, _ callback: @escaping GCallback, _ action: Action
) {
  g_signal_connect_data(
    object, signal, callback, Unmanaged.passRetained(Handler(action)).toOpaque(),
    { data, _ in data.map { Unmanaged<AnyObject>.fromOpaque($0).release() } },
    GConnectFlags(rawValue: 0))
}

/// Calls `action` for a signal without arguments, such as "clicked".
func on(_ object: Object, _ signal: String, _ action: @escaping () -> Void) {
  let callback: @convention(c) (gpointer?, gpointer?) -> Void = { _, data in
    Handler<() -> Void>.of(data)?()
  }
  connect(object, signal, unsafeBitCast(callback, to: GCallback.self), action)
}

/// Calls `action` when a property changes.
func onChange(of property: String, _ object: Object, _ action: @escaping () -> Void) {
  let callback: @convention(c) (gpointer?, gpointer?, gpointer?) -> Void = { _, _, data in
    Handler<() -> Void>.of(data)?()
  }
  connect(object, "notify::\(property)", unsafeBitCast(callback, to: GCallback.self), action)
}

/// Calls `body` when a menu action is activated.
func onActivate(_ action: Object, _ body: @escaping () -> Void) {
  let callback: @convention(c) (gpointer?, gpointer?, gpointer?) -> Void = { _, _, data in
    Handler<() -> Void>.of(data)?()
  }
  connect(action, "activate", unsafeBitCast(callback, to: GCallback.self), body)
}

/// Calls `action` with the response of an Adwaita dialog.
func onResponse(_ dialog: Object, _ action: @escaping (String) -> Void) {
  let callback: @convention(c) (gpointer?, UnsafePointer<CChar>?, gpointer?) -> Void = {
    _, response, data in
    Handler<(String) -> Void>.of(data)?(response.map { String(cString: $0) } ?? "")
  }
  connect(dialog, "response", unsafeBitCast(callback, to: GCallback.self), action)
}

/// Calls `action` with the response of a GTK dialog.
func onNativeResponse(_ dialog: Object, _ action: @escaping (Int32) -> Void) {
  let callback: @convention(c) (gpointer?, Int32, gpointer?) -> Void = { _, response, data in
    Handler<(Int32) -> Void>.of(data)?(response)
  }
  connect(dialog, "response", unsafeBitCast(callback, to: GCallback.self), action)
}

/// Calls `action` for a signal whose handler returns whether it has handled it.
func onRequest(_ object: Object, _ signal: String, _ action: @escaping () -> Bool) {
  let callback: @convention(c) (gpointer?, gpointer?) -> gboolean = { _, data in
    Handler<() -> Bool>.of(data)?() == true ? 1 : 0
  }
  connect(object, signal, unsafeBitCast(callback, to: GCallback.self), action)
}

/// Calls `action` for each key pressed within a widget, before the widget receives it; true
/// consumes the key. The code is its place on the keyboard, which no other key changes.
func onKey(
  _ widget: Widget,
  _ action: @escaping (_ key: UInt32, _ code: UInt32, _ state: GdkModifierType) -> Bool
) {
  let callback: @convention(c) (gpointer?, guint, guint, GdkModifierType, gpointer?) -> gboolean = {
    _, key, code, state, data in
    Handler<(UInt32, UInt32, GdkModifierType) -> Bool>.of(data)?(key, code, state) == true ? 1 : 0
  }
  guard let controller = gtk_event_controller_key_new() else { return }
  gtk_event_controller_set_propagation_phase(controller, GTK_PHASE_CAPTURE)
  connect(Object(controller), "key-pressed", unsafeBitCast(callback, to: GCallback.self), action)
  gtk_widget_add_controller(widget, controller)
}

/// Calls `action` with the code of each key released within a widget.
func onKeyRelease(_ widget: Widget, _ action: @escaping (_ code: UInt32) -> Void) {
  let callback: @convention(c) (gpointer?, guint, guint, GdkModifierType, gpointer?) -> Void = {
    _, _, code, _, data in Handler<(UInt32) -> Void>.of(data)?(code)
  }
  guard let controller = gtk_event_controller_key_new() else { return }
  gtk_event_controller_set_propagation_phase(controller, GTK_PHASE_CAPTURE)
  connect(Object(controller), "key-released", unsafeBitCast(callback, to: GCallback.self), action)
  gtk_widget_add_controller(widget, controller)
}

/// Calls `action` with the notches of a wheel over a widget, upwards positive, and whether Shift is
/// held, before the widget receives them.
func onWheel(_ widget: Widget, _ action: @escaping (_ notches: Double, _ isShift: Bool) -> Void) {
  typealias Turn = (Double, Bool) -> Void
  let callback: @convention(c) (gpointer?, Double, Double, gpointer?) -> gboolean = {
    controller, dx, dy, data in
    guard let controller else { return 0 }
    let state = gtk_event_controller_get_current_event_state(OpaquePointer(controller))
    // With Shift, the wheel scrolls horizontally.
    let notches = abs(dx) > abs(dy) ? -dx : -dy
    Handler<Turn>.of(data)?(notches, state.rawValue & GDK_SHIFT_MASK.rawValue != 0)
    return 1
  }
  let axes = GTK_EVENT_CONTROLLER_SCROLL_BOTH_AXES
  guard let controller = gtk_event_controller_scroll_new(axes) else { return }
  gtk_event_controller_set_propagation_phase(controller, GTK_PHASE_CAPTURE)
  connect(Object(controller), "scroll", unsafeBitCast(callback, to: GCallback.self), action)
  gtk_widget_add_controller(widget, controller)
}

/// Calls `action` with the position of the pointer over a widget, and with nil when it leaves.
func onPointer(_ widget: Widget, _ action: @escaping ((x: Double, y: Double)?) -> Void) {
  typealias Move = ((x: Double, y: Double)?) -> Void
  let moved: @convention(c) (gpointer?, Double, Double, gpointer?) -> Void = { _, x, y, data in
    Handler<Move>.of(data)?((x, y))
  }
  let left: @convention(c) (gpointer?, gpointer?) -> Void = { _, data in
    Handler<Move>.of(data)?(nil)
  }
  guard let controller = gtk_event_controller_motion_new() else { return }
  connect(Object(controller), "enter", unsafeBitCast(moved, to: GCallback.self), action)
  connect(Object(controller), "motion", unsafeBitCast(moved, to: GCallback.self), action)
  connect(Object(controller), "leave", unsafeBitCast(left, to: GCallback.self), action)
  gtk_widget_add_controller(widget, controller)
}

/// Reads the text of a spin button; nil if it is not a number.
func onInput(_ spin: Widget, _ read: @escaping (String) -> Double?) {
  typealias Read = (String) -> Double?
  let callback:
    @convention(c) (UnsafeMutableRawPointer?, UnsafeMutablePointer<Double>?, gpointer?) -> Int32 = {
      spin, value, data in
      guard let spin, let text = gtk_editable_get_text(OpaquePointer(spin)),
        let number = Handler<Read>.of(data)?(String(cString: text))
      else { return spin_input_error }
      value?.pointee = number
      return 1
    }
  connect(Object(spin), "input", unsafeBitCast(callback, to: GCallback.self), read)
}

/// Calls `draw` with a context and a size when an area is drawn.
func onDraw(_ area: Widget, _ draw: @escaping (OpaquePointer, Double, Double) -> Void) {
  typealias Draw = (OpaquePointer, Double, Double) -> Void
  gtk_drawing_area_set_draw_func(
    area.to(),
    { _, context, width, height, data in
      guard let context else { return }
      Handler<Draw>.of(data)?(context, Double(width), Double(height))
    }, Unmanaged.passRetained(Handler<Draw>(draw)).toOpaque(),
    { data in data.map { Unmanaged<AnyObject>.fromOpaque($0).release() } })
}

/// Calls `action` for each refresh of a widget, until it returns false.
func onTick(_ widget: Widget, _ action: @escaping () -> Bool) {
  gtk_widget_add_tick_callback(
    widget, { _, _, data in Handler<() -> Bool>.of(data)?() == true ? 1 : 0 },
    Unmanaged.passRetained(Handler(action)).toOpaque(),
    { data in data.map { Unmanaged<AnyObject>.fromOpaque($0).release() } })
}

/// Calls `action` repeatedly at an interval, until it returns false.
func every(milliseconds: UInt32, _ action: @escaping () -> Bool) {
  g_timeout_add_full(
    G_PRIORITY_DEFAULT, milliseconds,
    { data in Handler<() -> Bool>.of(data)?() == true ? 1 : 0 },
    Unmanaged.passRetained(Handler(action)).toOpaque(),
    { data in data.map { Unmanaged<AnyObject>.fromOpaque($0).release() } })
}

/// [any thread] Calls `action` soon on the window's thread.
func later(_ action: @escaping @Sendable () -> Void) {
  g_idle_add_full(
    G_PRIORITY_DEFAULT,
    { data in
      Handler<@Sendable () -> Void>.of(data)?()
      return 0
    }, Unmanaged.passRetained(Handler(action)).toOpaque(),
    { data in data.map { Unmanaged<AnyObject>.fromOpaque($0).release() } })
}

/// Calls `action` on the window's thread whenever a file can be read; returns a number for
/// `g_source_remove`.
func onReadable(_ descriptor: Int32, _ action: @escaping () -> Void) -> UInt32 {
  g_unix_fd_add_full(
    G_PRIORITY_DEFAULT, descriptor, G_IO_IN,
    { _, _, data in
      Handler<() -> Void>.of(data)?()
      return 1
    }, Unmanaged.passRetained(Handler(action)).toOpaque(),
    { data in data.map { Unmanaged<AnyObject>.fromOpaque($0).release() } })
}

/// Calls `action` when a Unix signal arrives.
func onSystemSignal(_ signal: Int32, _ action: @escaping () -> Void) {
  g_unix_signal_add_full(
    G_PRIORITY_DEFAULT, signal,
    { data in
      Handler<() -> Void>.of(data)?()
      return 1
    }, Unmanaged.passRetained(Handler(action)).toOpaque(),
    { data in data.map { Unmanaged<AnyObject>.fromOpaque($0).release() } })
}
