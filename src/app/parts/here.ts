import type { DoctorEnvironment, PermissionState, System } from '../../providers/doctor';

interface Brands {
  readonly platform?: string;
  readonly brands?: readonly { readonly brand: string }[];
}

/** Chromium's own description of itself; other browsers have none. */
const brands = (): Brands | undefined => Reflect.get(navigator, 'userAgentData') as Brands | undefined;

/** The system of this machine, by what the browser says; Linux where it says nothing that is known. */
export function systemHere(): System {
  const platform = brands()?.platform || navigator.platform || navigator.userAgent;
  if (/mac|iphone|ipad/i.test(platform)) return 'macos';
  return /win/i.test(platform) ? 'windows' : 'linux';
}

async function permission(name: string): Promise<PermissionState> {
  try {
    const { state } = await navigator.permissions.query({ name: name as PermissionName });
    return state;
  } catch {
    // A browser that does not know the permission has no such question either.
    return null;
  }
}

/** This page, as the doctor sees it. */
export function pageHere(): DoctorEnvironment {
  return {
    forOrigin: null,
    page: {
      origin: location.origin,
      secure: isSecureContext,
      framed: window !== window.top,
      permission,
      chromium: brands()?.brands?.some(({ brand }) => brand === 'Chromium') ?? false,
    },
  };
}
