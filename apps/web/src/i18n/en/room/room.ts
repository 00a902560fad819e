export const room = {
  lower: "Lower the hand of {{name}}",
  lowerMine: "Lower my hand",
  lowered: "{{name}} lowered your hand.",
  peopleWaiting_one: "People, {{count}} waiting",
  peopleWaiting_other: "People, {{count}} waiting",
  newHand: "Somebody raised a hand in the conference",
}
