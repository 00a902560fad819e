export const rename = {
  open: "Change my name",
  hint: "You leave for a moment and come back with the new name. A call ends. The others see both names, and earlier messages keep the old one.",
  knock: "A host must let you in again.",
  serverDown: "The server cannot be reached, and without it you could not come back. Try again when it is back.",
  change: "Change name",
  renamed: "{{before}} is now called {{name}}.",
}
