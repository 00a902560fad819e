export const room = {
  lower: "Lower the hand of {{name}}",
  lowerMine: "Lower my hand",
  lowered: "{{name}} lowered your hand.",
  peopleWaiting_one: "People, {{count}} waiting",
  peopleWaiting_other: "People, {{count}} waiting",
  role: {
    host: "{{name}} is a host now.",
    editor: "{{name}} can write and draw now.",
    viewer: "{{name}} can only watch now.",
  },
  myRole: {
    host: "You are a host now. You can let people in, remove them and change their roles.",
    editor: "You can write and draw now.",
    viewer: "You can only watch now. A host can change that.",
  },
  newHand: "Somebody raised a hand in the conference",
}
