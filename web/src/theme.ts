import { createTheme, type MantineColorsTuple } from '@mantine/core'
import { strings } from '#strings/general.ts'

/** The accent. */
const ink: MantineColorsTuple = [
  '#ecf4f6',
  '#d7e7ec',
  '#aecdd7',
  '#84b1c0',
  '#5c97aa',
  '#418197',
  '#2f6f86',
  '#205d74',
  '#184c60',
  '#123c4c',
]

const gray: MantineColorsTuple = [
  '#fafafa',
  '#f3f3f4',
  '#e9e9eb',
  '#dddee1',
  '#c8cacf',
  '#a4a7ae',
  '#7c8089',
  '#5b5f68',
  '#3e4149',
  '#23252b',
]

const dark: MantineColorsTuple = [
  '#e3e4e7',
  '#b6b8be',
  '#898c95',
  '#676a73',
  '#3a3c43',
  '#303238',
  '#26282d',
  '#1a1b1f',
  '#141518',
  '#0e0f11',
]

/** `theme.css` makes the list itself scroll: in a list that scrolls inside, the keyboard could not reach the scrolling element. */
const withList = { defaultProps: { withScrollArea: false } }

const closable = { closeButtonProps: { 'aria-label': strings.close } }

const SCRIPTS = '"Noto Sans", "Noto Sans Arabic", "Noto Sans CJK SC", system-ui, sans-serif'

/** Sizes, weights, and colors. `theme.css` has what a theme cannot express. */
export const theme = createTheme({
  colors: { ink, gray, dark },
  primaryColor: 'ink',
  primaryShade: { light: 7, dark: 6 },
  defaultRadius: 'md',
  radius: { xs: '0.125rem', sm: '0.25rem', md: '0.375rem', lg: '0.5rem', xl: '1rem' },
  fontFamily: `"Inter Variable", "Inter Fallback", ${SCRIPTS}`,
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '1rem', xl: '1.125rem' },
  headings: {
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '1.375rem', lineHeight: '1.3' },
      h2: { fontSize: '1.125rem', lineHeight: '1.35' },
      h3: { fontSize: '1rem', lineHeight: '1.4' },
      h4: { fontSize: '0.9375rem', lineHeight: '1.4' },
      h5: { fontSize: '0.875rem', lineHeight: '1.45' },
      h6: { fontSize: '0.8125rem', lineHeight: '1.5' },
    },
  },
  cursorType: 'pointer',
  autoContrast: true,
  respectReducedMotion: true,
  focusRing: 'auto',
  components: {
    Badge: {
      defaultProps: { variant: 'light', color: 'gray', radius: 'sm', tt: 'none', fw: 400 },
    },
    Drawer: { defaultProps: closable },
    // Without this, each would be a second banner of the page.
    DrawerHeader: { defaultProps: { role: 'none' } },
    ModalHeader: { defaultProps: { role: 'none' } },
    // A child of the menu that is not an item would be invalid.
    Menu: { defaultProps: { withInitialFocusPlaceholder: false } },
    Modal: { defaultProps: closable },
    MultiSelect: withList,
    Notification: { defaultProps: closable },
    Select: withList,
    // Also show tooltips on keyboard focus.
    Tooltip: { defaultProps: { events: { hover: true, focus: true, touch: false } } },
  },
})
