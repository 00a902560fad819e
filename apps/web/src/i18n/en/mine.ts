export const mine = {
  title: "My conferences",
  hint: "Conferences that you have not left. Anyone who uses this browser can return to them as you. The list is on this device only, and a conference stays on it until you leave it or forget it here, also when it is over.",
  none: "No conferences.",
  count_one: "{{count}} conference",
  count_other: "{{count}} conferences",
  untitled: "Conference {{number}}…",
  opens: "Opens {{time}}",
  ends: "Until {{time}}",
  ended: "Over since {{time}}",
  return: "Return to {{name}}",
  forget: "Forget {{name}}",
  forgetAll: "Forget all of them",
}
