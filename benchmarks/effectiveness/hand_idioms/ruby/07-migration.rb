class CreateVoyages < ActiveRecord::Migration[6.1]
  def change
    create_table :voyages do |t|
      t.string :title, null: false
      t.text :description
      t.integer :passengers, default: 0
      t.datetime :departed_at
      t.references :ship, null: false, foreign_key: true

      t.timestamps
    end

    add_index :voyages, :title, unique: true
  end
end
