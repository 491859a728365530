import { Parser } from 'htmlparser2'

const SLICE = 16_384
/** Parsing time grows with nesting depth. No honest page is nested this deep. */
const MAX_DEPTH = 1000
const MAX_LINKS = 50
/** What a browser shows for a touch icon without sizes. */
const TOUCH_ICON_SIZE = 180
const MIN_SIZE = 64

interface IconLink {
  href: string
  /** The length of an edge in pixels; 0: unknown. */
  size: number
}

/**
 * Returns the addresses of the icons that a page links to, the most suitable first. Leaves out SVG, which may refer to
 * other files, and icons of a single color.
 * @param pageUrl the address that the links are relative to
 */
export function iconLinks(html: string, pageUrl: URL): string[] {
  const { links, base } = readLinks(html)
  const baseUrl = (base && URL.parse(base, pageUrl)) || pageUrl
  return links
    .toSorted((one, other) => penalty(one) - penalty(other))
    .map(({ href }) => URL.parse(href, baseUrl)?.href)
    .filter((address) => address !== undefined)
}

/** The smallest that is large enough comes first, then the largest of the others. */
const penalty = ({ size }: IconLink): number => (size >= MIN_SIZE ? size : 1e6 - size)

function readLinks(html: string): { links: IconLink[]; base: string | undefined } {
  const links: IconLink[] = []
  let base: string | undefined
  let depth = 0
  const parser = new Parser({
    onopentag(name, attributes) {
      depth++
      if (name === 'base') base ??= attributes.href
      const link = name === 'link' ? iconLink(attributes) : undefined
      if (link) links.push(link)
    },
    onclosetag() {
      depth--
    },
  })
  const isDone = () => depth >= MAX_DEPTH || links.length >= MAX_LINKS
  for (let start = 0; start < html.length && !isDone(); start += SLICE)
    parser.write(html.slice(start, start + SLICE))
  parser.end()
  return { links: links.slice(0, MAX_LINKS), base }
}

function iconLink({ rel = '', href, sizes = '', type = '' }: Record<string, string>): IconLink | undefined {
  const words = rel.toLowerCase().split(/\s+/)
  const isTouchIcon = words.some((word) => /^apple-touch-icon(?:-precomposed)?$/.test(word))
  if (!href || !(isTouchIcon || words.includes('icon'))) return undefined
  if (/svg/i.test(type) || /\.svgz?(?:[?#]|$)/i.test(href)) return undefined
  const size = Number(/(\d{1,5})x\d/i.exec(sizes)?.[1] ?? 0)
  return { href, size: size || (isTouchIcon ? TOUCH_ICON_SIZE : 0) }
}
