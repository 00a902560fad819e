export const protection = {
  title: "What is protected",
  content:
    "The people in a conference agree on a key among themselves. Drawings, messages and names are encrypted with it in the browser. The key changes whenever somebody joins or leaves. Only “Majority” keeps it for the named people.",
  server:
    "The server brings people together. It sees internet addresses, the conference’s number, when messages pass and how large they are. It cannot read or change them, or add somebody unseen.",
  link: "Anyone with the link can join, unless the conference is for named people or an organisation, or a host lets people in one by one. Give it only to people you want there, and check who is in the conference.",
  device:
    "This device keeps a locked copy, so that a reload loses nothing, until you leave the conference. Browsers do not guard their storage from somebody who can unlock your device.",
  names:
    "A name is what a person typed. To be sure who is there, compare the conference code with them, in person or by phone.",
  limits:
    "Members can copy what they see. The server could send you a changed page: use a server you trust, or run your own.",
  close: "Close",
}
