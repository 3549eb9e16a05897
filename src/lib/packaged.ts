/** Something that installs programs and wants to be the one to replace them. */
export interface Packager {
  name: string;
  /** Whether a program lies where this one puts them; `path` with slashes. */
  owns(path: string): boolean;
  /** What brings roborev up to date there. */
  upgrade: string;
}

const isRoborev = (path: string) => /\/roborev(?:\.exe)?$/i.test(path);

export const packagers = {
  mise: {
    name: "mise",
    owns: (path: string) => path.includes("/mise/installs/") && isRoborev(path),
    upgrade: "mise upgrade roborev",
  },
  homebrew: {
    name: "Homebrew",
    owns: (path: string) => path.includes("/Cellar/roborev/"),
    upgrade: "brew upgrade roborev",
  },
  asdf: {
    name: "asdf",
    owns: (path: string) => path.includes("/.asdf/installs/") && isRoborev(path),
    upgrade: "asdf install roborev latest",
  },
  nix: {
    name: "Nix",
    owns: (path: string) => path.startsWith("/nix/store/"),
    upgrade: "nix profile upgrade roborev",
  },
  bun: {
    name: "Bun",
    owns: (path: string) => path.includes("/.bun/install/global/"),
    upgrade: "bun update --global --latest roborev",
  },
  npm: {
    name: "npm",
    owns: (path: string) => path.includes("/node_modules/"),
    upgrade: "npm install --global roborev@latest",
  },
  system: {
    // Not /usr/local, which the system leaves to its users (FHS 4.9).
    name: "the package manager of this system",
    owns: (path: string) => /^\/(?:usr\/)?(?:bin|sbin|lib|lib64|libexec)\//.test(path),
    upgrade: "that one, on Debian and Ubuntu sudo apt install --only-upgrade roborev",
  },
} satisfies Record<string, Packager>;

/** Who put a program where it is; undefined where nobody but its user did. */
export function packagedBy(path: string): Packager | undefined {
  const slashed = path.replaceAll("\\", "/");
  return Object.values(packagers).find(({ owns }) => owns(slashed));
}
