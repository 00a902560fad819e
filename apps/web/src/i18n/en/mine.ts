export const mine = {
  title: "My conferences",
  hint: "Those that this browser has not left: whoever uses it can come back to them as you. Only this device keeps that, until you leave them, forget them here, or they are over.",
  none: "There are none.",
  count_one: "{{count}} conference",
  count_other: "{{count}} conferences",
  untitled: "Conference {{number}}…",
  opens: "Opens {{time}}",
  ends: "Until {{time}}",
  return: "Go back to {{name}}",
  forget: "Forget {{name}}",
  forgetAll: "Forget all of them",
}
