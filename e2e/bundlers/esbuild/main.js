import { mount } from "./chat.js"

mount(document.querySelector("div"))
