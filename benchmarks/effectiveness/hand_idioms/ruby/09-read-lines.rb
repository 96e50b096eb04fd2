def load_inventory(path)
  items = []
  File.open(path, 'r') do |file|
    file.each_line do |line|
      line = line.strip
      next if line.empty? || line.start_with?('#')

      name, quantity = line.split(',')
      items << { name: name, quantity: quantity.to_i }
    end
  end
  items
rescue Errno::ENOENT => e
  warn "File not found: #{e.message}"
  exit 1
end
