import { createTheme, type MantineColorsTuple } from '@mantine/core'
import { strings } from '#strings/general.ts'

const ink: MantineColorsTuple = [
  '#eef2ff',
  '#dbe4ff',
  '#bac8ff',
  '#91a7ff',
  '#748ffc',
  '#5c7cfa',
  '#4263eb',
  '#3b5bdb',
  '#364fc7',
  '#2f44ad',
]

const closable = { closeButtonProps: { 'aria-label': strings.close } }

export const theme = createTheme({
  colors: { ink },
  primaryColor: 'ink',
  primaryShade: { light: 7, dark: 6 },
  defaultRadius: 'md',
  fontFamily:
    'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Noto Sans Arabic", "Noto Sans CJK SC", sans-serif',
  headings: { fontWeight: '650' },
  cursorType: 'pointer',
  autoContrast: true,
  respectReducedMotion: true,
  focusRing: 'auto',
  components: {
    Drawer: { defaultProps: closable },
    Modal: { defaultProps: closable },
    Notification: { defaultProps: closable },
  },
})
