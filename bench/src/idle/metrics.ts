export const PAGE = "processor, of a page, with its share of the browser"
export const RENDERER = "processor, of a page's own process"
export const MEMBER = "processor, of a member in Node"
