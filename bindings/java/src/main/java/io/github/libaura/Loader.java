package io.github.libaura;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Finds the native part: the file that the property {@code libaura.library.path} or the variable {@code
 * AURA_LIBRARY_PATH} names, else the one in the jar.
 */
final class Loader {
  private static final String PROPERTY = "libaura.library.path";
  private static final String VARIABLE = "AURA_LIBRARY_PATH";
  private static final String FOLDER = "libaura.tmpdir";

  private Loader() {}

  static void load() {
    List<String> tried = new ArrayList<>();
    String named = System.getProperty(PROPERTY, System.getenv(VARIABLE));
    if (named != null && !named.isEmpty()) {
      System.load(Path.of(named).toAbsolutePath().toString());
      return;
    }
    String resource = "/META-INF/native/" + platform() + "/" + System.mapLibraryName("aurajni");
    try (InputStream library = Loader.class.getResourceAsStream(resource)) {
      if (library != null) {
        unpack(library);
        return;
      }
      tried.add("the jar has no " + resource);
    } catch (IOException | UnsatisfiedLinkError error) {
      tried.add(resource + ": " + error.getMessage());
    }
    throw new UnsatisfiedLinkError(
        "libaura: the native part was not found ("
            + String.join("; ", tried)
            + "); name its file by -D" + PROPERTY + " or " + VARIABLE
            + ", or a folder it may be unpacked to by -D" + FOLDER);
  }

  /** Unpacks the library under a name of its own, for a second class loader must not load the same file. */
  private static void unpack(InputStream library) throws IOException {
    String folder = System.getProperty(FOLDER);
    Path file =
        folder == null
            ? Files.createTempFile("libaura-", ".lib")
            : Files.createTempFile(Path.of(folder), "libaura-", ".lib");
    try {
      Files.copy(library, file, StandardCopyOption.REPLACE_EXISTING);
      System.load(file.toAbsolutePath().toString());
    } finally {
      // Where a loaded file cannot be deleted it goes when the process ends.
      if (!file.toFile().delete()) {
        file.toFile().deleteOnExit();
      }
    }
  }

  private static String platform() {
    String os = System.getProperty("os.name").toLowerCase(Locale.ROOT);
    String system = os.contains("mac") ? "macos" : os.contains("windows") ? "windows" : "linux";
    String arch = System.getProperty("os.arch");
    String processor =
        switch (arch) {
          case "amd64" -> "x86_64";
          case "arm64" -> "aarch64";
          default -> arch;
        };
    return system + "-" + processor;
  }
}
