export function Logo({ size = 28 }: { readonly size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect width="32" height="32" rx="8" fill="#4263eb" />
      <path className="logo-line" d="M9 22V10h7.5a4 4 0 0 1 0 8H13m7 4 4-4" />
    </svg>
  )
}
