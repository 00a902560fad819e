export const pdf = {
  insert: "Insert pages of a PDF",
  drawing: "Drawing the pages on this device…",
  done_one: "{{count}} page was added.",
  done_other: "{{count}} pages were added.",
  leftOut_one: "{{count}} page was left out. Share the file in the chat to pass on all of it.",
  leftOut_other: "{{count}} pages were left out. Share the file in the chat to pass on all of it.",
  tooLarge: "This PDF is too large. Share it in the chat instead.",
  notAPdf: "This file can’t be read as a PDF. It may be damaged, or protected by a password.",
}
