import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core'

/** Darker than Mantine's own where text is written in it: 4.5 to 1 on every surface that we use. */
const ink: MantineColorsTuple = [
  '#eef2ff',
  '#dbe4ff',
  '#bac8ff',
  '#91a7ff',
  '#8098fb',
  '#5c7cfa',
  '#4c6ef5',
  '#4263eb',
  '#3b5bdb',
  '#2b46b8',
]

/** Mantine's dark greys, with the tint of our own surfaces. */
const dark: MantineColorsTuple = [
  '#d5d9e0',
  '#b4bac5',
  '#9aa2ae',
  '#737b88',
  '#4a515e',
  '#3b414d',
  '#292d36',
  '#1d2026',
  '#191c21',
  '#131519',
]

export const theme = createTheme({
  primaryColor: 'ink',
  primaryShade: { light: 7, dark: 8 },
  colors: { ink, dark },
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  fontFamily: 'Inter, system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif',
  fontFamilyMonospace: '"JetBrains Mono", ui-monospace, "Cascadia Mono", "SF Mono", Menlo, Consolas, monospace',
  // The sizes are those of type-scale.css.
  fontSizes: {
    xs: 'var(--type-tiny)',
    sm: 'var(--type-body)',
    md: 'var(--type-large)',
    lg: 'var(--type-panel)',
    xl: 'var(--type-section)',
  },
  headings: {
    fontWeight: '650',
    sizes: {
      h2: { fontSize: 'var(--type-page)' },
      h3: { fontSize: 'var(--type-section)' },
      h4: { fontSize: 'var(--type-panel)' },
      h5: { fontSize: 'var(--type-large)' },
    },
  },
  components: {
    // Without a transform: lists that open in it would be cut off at its edge.
    ModalRoot: { defaultProps: { centered: true, transitionProps: { transition: 'fade', duration: 120 } } },
    Tooltip: {
      defaultProps: {
        events: { hover: true, focus: true, touch: true },
        multiline: true,
        maw: 320,
        withinPortal: false,
      },
    },
    Badge: { defaultProps: { variant: 'light', radius: 'sm', tt: 'none', fw: 600, lts: 0, miw: 'max-content' } },
    Notification: { defaultProps: { closeButtonProps: { 'aria-label': 'Dismiss' } } },
    Anchor: { defaultProps: { underline: 'always' } },
    Alert: { defaultProps: { variant: 'light' } },
    // Within the page, so that it belongs to the landmark or dialog that it is opened from.
    // Fixed, as what it is opened from may scroll and would cut it off.
    Select: { defaultProps: { comboboxProps: { shadow: 'md', withinPortal: false, floatingStrategy: 'fixed' } } },
    Menu: { defaultProps: { shadow: 'md', withinPortal: false, withInitialFocusPlaceholder: false } },
  },
})

/** Mantine's quiet greys and its red are too faint to read for some. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#5b6470',
    '--mantine-color-error': '#c92a2a',
    '--mantine-color-placeholder': '#6b7480',
    '--mantine-color-green-light-color': '#1c6330',
    '--mantine-color-orange-light-color': '#8a3200',
    '--mantine-color-red-light-color': '#a61e1e',
  },
  dark: {
    '--mantine-color-dimmed': '#a6adb8',
    '--mantine-color-error': '#ff8787',
    '--mantine-color-placeholder': '#98a0ab',
    '--mantine-color-body': '#16181d',
    '--mantine-color-orange-light': '#43270f',
    '--mantine-color-red-light': '#471d1f',
    '--mantine-color-green-light': '#17391f',
  },
})
