export const showing = {
  slides: "Frames as slides",
  noSlides: "There are no frames yet. Draw one with the frame tool.",
  count_one: "{{count}} slide",
  count_other: "{{count}} slides",
  slide: "Slide {{at}} of {{all}}",
  previous: "Previous slide",
  next: "Next slide",
  bring: "Bring everybody here",
  close: "Close the slides",
  brought: "{{name}} brought you here. You see what {{name}} sees, until you move the board.",
}
