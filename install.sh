#!/bin/sh
# Installs a released roborev binary:
#   curl -fsSL https://raw.githubusercontent.com/<owner>/<repository>/main/install.sh | sh
# Nothing is installed whose SHA-256 is not in the release's SHA256SUMS. PATH and shell profiles are never edited.
# The whole program is one function, called in the last line: a download that was cut short runs nothing.

main() {
	set -eu
	# There is no public release yet. Where the releases are: owner/repository on GitHub.
	repository=${ROBOREV_REPO:-roborev/roborev}
	install_dir=${ROBOREV_INSTALL_DIR:-}
	version=latest
	base_url=
	archive=
	sums=
	dry_run=no

	while [ $# -gt 0 ]; do
		case $1 in
		--dry-run) dry_run=yes ;;
		--version | --base-url | --archive | --sums | --dir)
			[ $# -ge 2 ] || usage_error "$1 needs a value"
			case $1 in
			--version) version=$2 ;;
			--base-url) base_url=$2 ;;
			--archive) archive=$2 ;;
			--sums) sums=$2 ;;
			--dir) install_dir=$2 ;;
			esac
			shift
			;;
		-h | --help)
			usage
			return 0
			;;
		*) usage_error "unknown argument $1" ;;
		esac
		shift
	done
	if [ -n "$archive" ] && [ -z "$sums" ]; then usage_error "--archive needs --sums: the archive must be verified"; fi
	if [ -n "$sums" ] && [ -z "$archive" ]; then usage_error "--sums needs --archive"; fi
	if [ -z "$install_dir" ]; then
		[ -n "${HOME:-}" ] || fail "HOME is not set; say where to install with --dir"
		install_dir=$HOME/.local/bin
	fi

	scratch=
	trap cleanup EXIT
	trap 'exit 130' HUP INT TERM
	if [ "$dry_run" = yes ] || [ -z "$archive" ]; then
		scratch=$(mktemp -d "${TMPDIR:-/tmp}/roborev-install.XXXXXX") || fail "cannot create a temporary directory"
	fi

	if [ -z "$archive" ]; then
		platform=$(detect_platform)
		if [ -z "$base_url" ]; then
			case $version in
			latest) base_url=https://github.com/$repository/releases/latest/download ;;
			*) base_url=https://github.com/$repository/releases/download/v${version#v} ;;
			esac
		fi
		sums=$scratch/SHA256SUMS
		download "$base_url/SHA256SUMS" "$sums"
		name=$(archive_name "$sums" "$platform")
		archive=$scratch/$name
		echo "downloading $base_url/$name"
		download "$base_url/$name" "$archive"
	else
		name=$(basename -- "$archive")
	fi
	verify "$archive" "$name" "$sums"

	target=$install_dir/roborev
	if [ -d "$target" ]; then fail "$target is a directory"; fi
	if [ "$dry_run" = yes ]; then
		echo "would install roborev from $name (checksum verified) to $target"
		return 0
	fi
	install_binary
	echo "installed $("$target" version 2>/dev/null || echo roborev) to $target"
	case :${PATH:-}: in
	*":$install_dir:"*) echo "next: run 'roborev init' in a git repository" ;;
	*) echo "next: add $install_dir to PATH, then run 'roborev init' in a git repository" ;;
	esac
}

usage() {
	cat <<'END'
Usage: install.sh [--version X.Y.Z] [--dir DIR] [--dry-run]
       install.sh --archive FILE --sums SHA256SUMS [--dir DIR] [--dry-run]

  --dir DIR        where to install; default $ROBOREV_INSTALL_DIR, else ~/.local/bin
  --version X.Y.Z  a certain release; default the latest
  --archive FILE   install this archive, without network; --sums names its checksum list
  --base-url URL   take SHA256SUMS and the archive from this address (a mirror)
  --dry-run        do everything but install
END
}

fail() {
	echo "install.sh: $1" >&2
	exit 1
}

usage_error() {
	echo "install.sh: $1" >&2
	usage >&2
	exit 2
}

cleanup() {
	if [ -n "$scratch" ]; then rm -rf "$scratch"; fi
	if [ -n "${staging:-}" ]; then rm -rf "$staging"; fi
}

# linux_amd64, linux_arm64_musl, darwin_arm64, … as release archives are named.
detect_platform() {
	machine=$(uname -m)
	case $(uname -s) in
	Linux) system=linux ;;
	Darwin)
		system=darwin
		# Under Rosetta uname tells x86_64 on an arm64 machine.
		if [ "$(sysctl -n hw.optional.arm64 2>/dev/null || echo 0)" = 1 ]; then machine=arm64; fi
		;;
	*) fail "there is no binary for $(uname -s); on Windows use WSL" ;;
	esac
	case $machine in
	x86_64 | amd64) machine=amd64 ;;
	aarch64 | arm64) machine=arm64 ;;
	*) fail "there is no binary for $machine" ;;
	esac
	libc=
	if [ "$system" = linux ] && (ldd --version 2>&1 || true) | grep -qi musl; then libc=_musl; fi
	echo "${system}_$machine$libc"
}

download() {
	if command -v curl >/dev/null 2>&1; then
		case $1 in
		https://*) curl --proto '=https' --tlsv1.2 -fsSL --retry 3 -o "$2" "$1" || fail "cannot download $1" ;;
		*) curl -fsSL --retry 3 -o "$2" "$1" || fail "cannot download $1" ;;
		esac
	elif command -v wget >/dev/null 2>&1; then
		wget -q -O "$2" "$1" || fail "cannot download $1"
	else
		fail "curl or wget is needed"
	fi
}

# The one archive of this platform that the checksum list names.
archive_name() {
	found=$(awk -v end="_$2.tar.gz" '{ name = $2; sub(/^\*/, "", name)
		if (name ~ /^roborev_[0-9][A-Za-z0-9.-]*_[a-z0-9_]+\.tar\.gz$/ &&
			substr(name, index(name, "_" "'"${2%%_*}"'_")) == end) print name }' "$1")
	case $found in
	'') fail "this release has no binary for $2" ;;
	*'
'*) fail "SHA256SUMS names several archives for $2" ;;
	esac
	echo "$found"
}

verify() {
	[ -f "$1" ] || fail "there is no file $1"
	[ -f "$3" ] || fail "there is no checksum list $3"
	wanted=$(awk -v want="$2" '{ name = $2; sub(/^\*/, "", name); if (name == want) print tolower($1) }' "$3")
	case $wanted in
	'') fail "$3 has no checksum of $2; nothing was installed" ;;
	*[!0-9a-f]*) fail "$3 does not have exactly one checksum of $2; nothing was installed" ;;
	esac
	[ ${#wanted} -eq 64 ] || fail "$3 has no SHA-256 of $2; nothing was installed"
	[ "$(sha256 "$1")" = "$wanted" ] || fail "the checksum of $2 is wrong: it is damaged or was changed; nothing was installed"
}

sha256() {
	if command -v sha256sum >/dev/null 2>&1; then
		sha256sum <"$1" | cut -d ' ' -f 1
	elif command -v shasum >/dev/null 2>&1; then
		shasum -a 256 <"$1" | cut -d ' ' -f 1
	elif command -v openssl >/dev/null 2>&1; then
		openssl dgst -sha256 -r <"$1" | cut -d ' ' -f 1
	else
		fail "sha256sum, shasum or openssl is needed to verify the download"
	fi
}

# Unpacks beside the target, tries the binary there, and moves it over the old one in a single step.
install_binary() {
	mkdir -p "$install_dir" || fail "cannot create $install_dir"
	staging=$(mktemp -d "$install_dir/.roborev-install.XXXXXX") || fail "cannot write to $install_dir"
	tar -xzf "$archive" -C "$staging" roborev || fail "$name does not hold a roborev binary"
	binary=$staging/roborev
	if [ ! -f "$binary" ] || [ -L "$binary" ]; then fail "$name does not hold a roborev binary"; fi
	chmod 755 "$binary"
	if [ "$(uname -s)" = Darwin ]; then
		xattr -d com.apple.quarantine "$binary" 2>/dev/null || true # absent unless a browser fetched the archive
		codesign --verify "$binary" 2>/dev/null || codesign --sign - --force "$binary"
	fi
	"$binary" version >/dev/null || fail "the new binary does not run on this machine; nothing was replaced"
	mv -f "$binary" "$target" || fail "cannot write $target"
}

main "$@"
